// Types of the protocol, from the project's protos into gen/. Uses the protoc of the project's virtual environment.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const root = join(here, "../../..");
const protos = join(root, "protos");
const files = readdirSync(protos, { recursive: true }).filter((name) => name.endsWith(".proto"));
const python = [join(root, ".venv/bin/python"), "python3"].find((name) => name === "python3" || existsSync(name));

rmSync(join(here, "gen"), { recursive: true, force: true });
mkdirSync(join(here, "gen"));
execFileSync(
  python,
  [
    "-m",
    "grpc_tools.protoc",
    `-I${protos}`,
    `--plugin=protoc-gen-es=${join(here, "node_modules/.bin/protoc-gen-es")}`,
    `--es_out=${join(here, "gen")}`,
    "--es_opt=target=ts,import_extension=none",
    ...files,
  ],
  { stdio: "inherit", cwd: protos },
);
