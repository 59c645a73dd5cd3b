/** Tables without a cluster, from the films of fixtures.py: `dev/?game=scopa&step=12`, `&watch` as a spectator. Left out of the build. */
import { fromBinary } from "@bufbuild/protobuf";
import { render } from "preact";
import { ConnectResponseSchema } from "#protos/tavolo/gateway/v1/gateway_pb";
import { TableState, type TableUpdate } from "#protos/tavolo/table/v1/view_pb";
import { client } from "../src/state/here";
import { Table } from "../src/state/table";
import { TableRoom } from "../src/table/page";
import "../src/ui/base.css";

const asked = new URLSearchParams(location.search);
const watches = asked.has("watch");
const game = asked.get("game") ?? "scopa";
const film = fromBinary(
  ConnectResponseSchema,
  new Uint8Array(await (await fetch(`./films/${game}.bin`)).arrayBuffer()),
);
const updates = film.messages.flatMap(({ kind }) => (kind.case === "table" ? [kind.value] : []));
const table = new Table(updates[0]?.table ?? "", false);

/** `turn`: the middle one of the viewer's turns; `ready`, `over`: the first view of that state; else a number. */
function stepOf(wanted: string): number {
  const where = (is: (update: TableUpdate) => boolean) => updates.flatMap((update, at) => (is(update) ? [at] : []));
  const turns = where((update) => (update.own?.moves.length ?? 0) > 0);
  if (wanted === "turn") return turns[Math.floor(turns.length / 2)] ?? 0;
  if (wanted === "ready")
    return where(({ public: pub }) => pub?.state === TableState.READY && pub.handScore.length > 0)[0] ?? 0;
  if (wanted === "over") return updates.length - 1;
  if (wanted.startsWith("verb:"))
    return where(({ own }) => own?.moves.some(({ verb }) => verb === wanted.slice(5)) ?? false)[0] ?? 0;
  return Number(wanted);
}

function show(step: number): void {
  const [first, update] = [updates[0], updates[step]];
  if (!first?.info || !update) return;
  if (watches) {
    const { yourSeat: _, ...info } = first.info;
    table.take({ ...update, own: undefined, info } as TableUpdate);
  } else table.take({ ...update, info: first.info });
}

let step = stepOf(asked.get("step") ?? "turn");
if (step > 0) show(step - 1);
show(step);
addEventListener("keydown", (event) => {
  if (event.key === "PageDown") show(++step);
  if (event.key === "PageUp") show(--step);
});
// What the page would send: there is no wire here.
const sent: string[] = [];
Object.assign(client, { act: async (_: unknown, move: string) => void sent.push(move) });
Object.assign(window, { __sent: sent });
const app = document.getElementById("app");
if (app) render(<TableRoom table={table} />, app);
const clicks = (asked.get("click") ?? "").split("|").filter(Boolean);
for (const [at, selector] of clicks.entries()) {
  setTimeout(
    () =>
      document
        .querySelector<HTMLElement>(selector)
        ?.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 })),
    100 * (at + 1),
  );
}
