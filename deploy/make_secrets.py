"""Writes a first set of Secrets for a namespace, as a manifest. Nothing of it is ever committed.

python -m deploy.make_secrets FOLDER [--database-url TEMPLATE] | kubectl -n tavolo apply -f -

FOLDER keeps keys and passwords, readable by its owner only; the same folder gives the same Secrets again.
TEMPLATE is the address of the database with {role} and {password} in it; its default is the component
postgres-local. Certificates (the Secrets <part>-tls of the component tls) are not made here.
"""

import argparse
import base64
import json
import sys
from pathlib import Path

from deploy.generate import password_name
from services.cli.keys import PARTS, Keys
from services.cli.nats_config import RIGHTS
from services.cli.postgres import SCHEMAS

LOCAL_DATABASE = "postgresql://{role}:{password}@postgres:5432/tavolo"
OPERATORS = ("admin", "cluster", "sys")

Secrets = dict[str, dict[str, str]]


def secrets(keys: Keys, database_url: str) -> Secrets:
    """Name of a Secret -> key -> value."""
    made: Secrets = {"trusted-services": {"jwks.json": keys.trusted_services.read_text()}}
    for part in PARTS:
        own = {"service-key.pem": keys.service_key(part).read_text()}
        if part in RIGHTS:
            own["nats-password"] = nats_password(keys, part)
        if part in SCHEMAS:
            role, password = f"tavolo_{part}", keys.password(f"postgres-{part}")
            own["database-url"] = database_url.format(role=role, password=password)
        made[f"{part.replace('_', '-')}-secrets"] = own
    made["table-engine-secrets"]["seal-keys.json"] = keys.seal_keys.read_text()
    made["lobby-signing-keys"] = {
        path.name: path.read_text() for path in sorted(keys.player_keys.glob("*.pem"))
    }
    users = (*RIGHTS, *OPERATORS)
    made["nats-secrets"] = {password_name(user): nats_password(keys, user) for user in users}
    made["postgres-secrets"] = {"POSTGRES_PASSWORD": keys.password("postgres-superuser")} | {
        f"{schema.upper()}_PASSWORD": keys.password(f"postgres-{schema}") for schema in SCHEMAS
    }
    return made


def nats_password(keys: Keys, user: str) -> str:
    """The password of a NATS user. It begins with letters: a variable that begins with digits is
    read as a number."""
    return f"nats-{keys.password(f'nats-{user}')}"


def manifest(made: Secrets) -> str:
    """The Secrets as one JSON list."""
    items = [
        {
            "apiVersion": "v1",
            "kind": "Secret",
            "type": "Opaque",
            "metadata": {"name": name, "labels": {"app.kubernetes.io/part-of": "tavolo"}},
            "data": {key: base64.b64encode(value.encode()).decode() for key, value in values.items()},
        }
        for name, values in sorted(made.items())
    ]
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items}, indent=1)


def main() -> None:
    """Writes the manifest to stdout."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--database-url", default=LOCAL_DATABASE)
    arguments = parser.parse_args()
    sys.stdout.write(manifest(secrets(Keys(arguments.folder), arguments.database_url)) + "\n")


if __name__ == "__main__":
    main()
