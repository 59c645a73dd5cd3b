"""`tavolo verify-deal MATCH`: checks the deals of a finished match, and plays it again on those decks."""

import argparse
import asyncio
import json
import secrets
import sys
from dataclasses import asdict

from tavolo.common.v1 import error_pb2
from tavolo.scoring.v1.scoring_pb2 import GetMatchRequest
from tavolo.table.v1.result_pb2 import MatchResult

from services.cli.connection import NoGatewayError, add_gateway_arguments, gateway_target
from services.cli.deals import DealCheck, check_deals
from services.cli.replay import Replay, replay
from services.client.errors import Refused
from services.client.gateway import Gateway


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("match", metavar="MATCH", help="the match's id, mch_…")
    parser.add_argument("--hand", type=int, metavar="N", help="only this hand")
    add_gateway_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")


def run(args: argparse.Namespace) -> int:
    """0: everything fits; 1: something does not, or the match cannot be had; 2: wrong usage, no gateway."""
    try:
        result = asyncio.run(fetch(gateway_target(args), args.match))
    except NoGatewayError as error:
        print(f"tavolo verify-deal: {error}", file=sys.stderr)
        return 2
    except Refused as error:
        print(f"tavolo verify-deal: {error.text}", file=sys.stderr)
        return 2 if error.reason == error_pb2.ERROR_REASON_INVALID_FIELD else 1
    replayed = replay(result)
    checks = check_deals(result, replayed, args.hand)
    if args.hand is not None and not checks:
        print(f"tavolo verify-deal: {args.match} has no hand {args.hand}", file=sys.stderr)
        return 2
    good = not replayed.problems and not any(check.problems for check in checks)
    if args.json:
        print(json.dumps(as_json(result, checks, replayed, good), ensure_ascii=False))
    else:
        print("\n".join(lines(result, checks, replayed, good)))
    return 0 if good else 1


async def fetch(target: str, match: str) -> MatchResult:
    """The match from the archive, by way of the gateway, as a guest. Refused: it cannot be had; says why."""
    async with Gateway(target) as gateway:
        session = await gateway.sign_in_guest(f"Verifica {secrets.token_hex(4)}")
        response = await session.call(gateway.scoring.GetMatch, GetMatchRequest(match=match))
    return response.match.result


def as_json(result: MatchResult, checks: list[DealCheck], replayed: Replay, good: bool) -> dict[str, object]:
    """The result for programs."""
    return {
        "match": result.match,
        "game": result.game,
        "good": good,
        "hands": [asdict(check) for check in checks],
        "replay": {
            "hands": replayed.hands,
            "moves": replayed.moves,
            "scores": replayed.scores,
            "problems": replayed.problems,
            "unshown": replayed.unshown,
        },
    }


def lines(result: MatchResult, checks: list[DealCheck], replayed: Replay, good: bool) -> list[str]:
    """The result for people: a line a hand, one about the replay, and one that says it all."""
    found = [f"{result.match}: {result.game}, {len(result.hands)} hands"]
    for check in checks:
        name = f"hand {check.hand}" + (f", tie-break {check.tie_break}" if check.tie_break else "")
        if not check.cards:
            found.append(f"  {name}: was not dealt")
            continue
        how = "by the house's seed" if check.seed_shown else "one by one"
        found.append(f"  {name}: {check.opened} of {check.cards} cards opened {how}")
        found += [f"    WRONG: {problem}" for problem in check.problems]
    found.append(f"  replayed: {replayed.hands} hands, {replayed.moves} moves, scores {replayed.scores}")
    if replayed.unshown:
        found.append(f"    not further: {replayed.unshown}")
    found += [f"    WRONG: {problem}" for problem in replayed.problems]
    found.append("everything fits" if good else "NOT EVERYTHING FITS")
    return found
