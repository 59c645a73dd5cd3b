"""The `tavolo` command: services, the local cluster, and the tools around them.

Exit status: 0 good, 1 a check failed, 2 wrong usage.
"""

import argparse
import importlib
import sys
from collections.abc import Callable

# Command -> (module with add_arguments(parser) and run(args) -> exit status, help). Imported only when used.
TOOLS = {
    "up": ("services.cli.up", "start the local cluster: NATS, PostgreSQL and every service"),
    "play": ("services.cli.play", "play (or watch) at a table in this terminal"),
    "smoke": (
        "services.cli.smoke",
        "play one match with computers in all seats and check everything about it",
    ),
    "case": ("services.cli.case", "run rule cases"),
    "verify-deal": ("services.cli.verify", "check the deals of a finished match against what was committed"),
    "settings": ("services.cli.settings_command", "list every setting: name, default, range, meaning"),
    "bench": ("services.cli.bench", "measure the rules or a whole cluster"),
}
# Command -> module with main() -> exit status.
SERVICES = {
    "gateway": "services.gateway.main",
    "lobby": "services.lobby.main",
    "table-engine": "services.table_engine.main",
    "clock": "services.clock.main",
    "chat": "services.chat.main",
    "scoring": "services.scoring.main",
    "bots": "services.bots.main",
}


def main(argv: list[str] | None = None) -> int:
    """Runs one command; its exit status."""
    words = sys.argv[1:] if argv is None else argv
    command = words[0] if words else ""
    parser = _parser(command)
    arguments = parser.parse_args(words)
    if not command:
        parser.print_help()
        return 2
    if command in SERVICES:
        service: Callable[[], int] = importlib.import_module(SERVICES[command]).main
        return service()
    tool: Callable[[argparse.Namespace], int] = importlib.import_module(TOOLS[command][0]).run
    return tool(arguments)


def _parser(command: str) -> argparse.ArgumentParser:
    """The parser with the arguments of `command`; those of the others would only cost their imports."""
    parser = argparse.ArgumentParser(
        prog="tavolo",
        description="Tavolo, a card room: `tavolo up` starts it here, `tavolo play` sits down at a table.",
        epilog="Services read their settings from the environment: see `tavolo settings`.",
    )
    commands = parser.add_subparsers(metavar="COMMAND")
    for name, (module, text) in TOOLS.items():
        tool = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        if name == command:
            importlib.import_module(module).add_arguments(tool)
    for name in SERVICES:
        commands.add_parser(name, help=f"run the {name} service", description=f"Runs the {name} service.")
    return parser


if __name__ == "__main__":
    sys.exit(main())
