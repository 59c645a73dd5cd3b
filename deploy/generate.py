"""Writes the generated files of deploy/ anew: NATS users, dashboard, table of metrics. A test compares them.

python -m deploy.generate
"""

import re

from deploy.checks.build import DEPLOY
from deploy.metrics import table
from deploy.monitoring.players import dashboard
from services.cli.nats_config import RIGHTS, users

_HEAD = """\
# Made by `python -m deploy.generate` from services/cli/nats_config.py, which `tavolo up` uses too.
# `admin` (backups) and `sys` (the servers' own account) are for operators, not for any service.
"""


def nats_users() -> str:
    """components/nats/users.conf: passwords are variables of the environment, NATS_PASSWORD_<USER>."""
    passwords = {user: f"${password_name(user)}" for user in sorted(RIGHTS)}
    # In quotes it would be the password itself instead of a variable.
    listed = re.sub(r'"(\$[A-Z_]+)"', r"\1", users(passwords))
    admin = f'{{"user": "admin", "password": ${password_name("admin")}}}'
    system = f'{{"user": "sys", "password": ${password_name("sys")}}}'
    own = listed.rstrip("]\n") + f",\n  {admin}\n]"
    return f"""{_HEAD}system_account: SYS
accounts {{
  SYS {{
    users: [{system}]
  }}
  TAVOLO {{
    jetstream: enabled
    users: {own}
  }}
}}
"""


def password_name(user: str) -> str:
    """The key of Secret nats-secrets that holds a user's password."""
    return f"NATS_PASSWORD_{user.upper()}"


FILES = {
    DEPLOY / "components" / "nats" / "users.conf": nats_users,
    DEPLOY / "monitoring" / "dashboards" / "players.json": dashboard,
    DEPLOY / "monitoring" / "METRICS.md": table,
}


def main() -> None:
    """Writes all of them."""
    for path, make in FILES.items():
        path.write_text(make())


if __name__ == "__main__":
    main()
