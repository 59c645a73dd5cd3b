"""Tables as rooms, at a real lobby on a real database."""

import asyncio
import random
from collections.abc import Awaitable

import pytest
from tavolo.common.v1 import error_pb2
from tavolo.common.v1.page_pb2 import PageRequest
from tavolo.lobby.v1 import lobby_pb2 as pb

from services.lobby.computers import COMPUTERS
from services.runtime.ids import new_id
from tests.lobby.people import People, Player, outcome, refusal

FOUR = '{"seats": 4}'


async def several(people: People, number: int) -> list[Player]:
    return [await people.guest() for _ in range(number)]


async def test_the_games_are_told_with_their_options(people: People) -> None:
    response = await people.lobby.ListGames(pb.ListGamesRequest())
    scopa = next(game for game in response.games if game.id == "scopa")
    options = {option.name: option for option in scopa.options}
    assert (scopa.name_it, scopa.rules_version >= 1) == ("Scopa", True)
    assert list(options["seats"].choices) == ["2", "4"]
    assert (options["target"].least, options["target"].most, options["target"].default) == (1, 999, "11")
    assert options["hands"].default == "null"
    tarocco = next(game for game in response.games if game.id == "tarocco")
    commission = next(option for option in tarocco.options if option.name == "commission")
    assert (commission.kind, commission.least, commission.most) == ("steps", 0, 2500)
    limit = next(option for option in tarocco.options if option.name == "limit")
    assert (limit.nullable, commission.nullable) == (True, False)
    assert all(option.text and option.text_it for game in response.games for option in game.options)
    assert [game.id for game in response.games] == sorted(game.id for game in response.games)


async def test_who_opens_a_table_sits_at_it(people: People) -> None:
    anna = await people.guest()
    table = await anna.open(speed="lampo", stake=250)
    assert [seat.account for seat in table.seats] == [anna.id, ""]
    assert table.seats[0].nickname == anna.account.nickname
    assert (table.state, table.stake.cents, table.stake.currency) == (pb.ROOM_STATE_OPEN, 250, "PLAY")
    assert (table.speed, table.match) == ("lampo", "")
    assert await anna.seats() == [table.id]
    assert await anna.get(table.id) == table


async def test_a_request_opens_one_table_however_often_it_arrives(people: People) -> None:
    anna = await people.guest()
    tables = await asyncio.gather(*(anna.open("once", options=FOUR) for _ in range(5)))
    assert len({table.id for table in tables}) == 1
    other = await refusal(anna.open("once"))
    assert (other.reason, other.field) == (error_pb2.ERROR_REASON_ID_REUSED, "request_id")
    await anna.leave(tables[0].id)
    assert (await anna.open("once", options=FOUR)).state == pb.ROOM_STATE_CLOSED
    bruno = await people.guest()
    assert (await bruno.open("once")).id != tables[0].id


async def test_an_account_sits_in_one_seat(people: People) -> None:
    anna, bruno = await several(people, 2)
    first = await anna.open()
    second = await bruno.open(options=FOUR)
    for call in (anna.open(), anna.join(second.id)):
        refused = await refusal(call)
        assert (refused.reason, refused.field) == (error_pb2.ERROR_REASON_ALREADY_SEATED, "table")
        assert first.id in refused.text
    await anna.leave(first.id)
    assert (await anna.join(second.id)).seat == 1


async def test_one_who_asks_for_many_seats_at_once_gets_one(people: People) -> None:
    anna, *hosts = await several(people, 6)
    tables = [await host.open(options=FOUR) for host in hosts]
    calls: list[Awaitable[object]] = [anna.join(table.id) for table in tables]
    calls += [anna.open() for _ in range(3)]
    random.Random(7).shuffle(calls)  # noqa: S311
    results = await asyncio.gather(*(outcome(call) for call in calls))
    refused = [result for result in results if isinstance(result, int)]
    assert len(refused) == len(calls) - 1
    assert set(refused) == {error_pb2.ERROR_REASON_ALREADY_SEATED}
    assert len(await anna.seats()) == 1


async def test_the_last_free_seat_goes_to_one_of_those_who_ask_for_it(people: People) -> None:
    host, *others = await several(people, 9)
    table = await host.open()
    results = await asyncio.gather(*(outcome(other.join(table.id)) for other in others))
    winners = [result for result in results if isinstance(result, pb.JoinTableResponse)]
    assert [winner.seat for winner in winners] == [1]
    losers = [result for result in results if not isinstance(result, pb.JoinTableResponse)]
    assert losers == [error_pb2.ERROR_REASON_SEAT_TAKEN] * 7
    full = await host.get(table.id)
    assert full.state == pb.ROOM_STATE_STARTING
    assert full.match.startswith("mch_")
    assert sorted([len(await other.seats()) for other in others]) == [0] * 7 + [1]


async def test_the_same_seat_is_given_once_and_another_one_is_left_free(people: People) -> None:
    host, anna, bruno = await several(people, 3)
    table = await host.open(options=FOUR)
    assert (await anna.join(table.id, 3)).seat == 3
    taken = await refusal(bruno.join(table.id, 3))
    assert (taken.reason, taken.field) == (error_pb2.ERROR_REASON_SEAT_TAKEN, "seat")
    assert (await bruno.join(table.id)).seat == 1


async def test_to_join_again_gives_the_seat_that_one_has(people: People) -> None:
    host, anna = await several(people, 2)
    table = await host.open(options=FOUR)
    assert (await anna.join(table.id)).seat == 1
    assert (await anna.join(table.id)).seat == 1
    assert (await anna.join(table.id, 1)).seat == 1
    assert (await refusal(anna.join(table.id, 2))).reason == error_pb2.ERROR_REASON_ALREADY_SEATED
    assert (await host.join(table.id)).seat == 0


@pytest.mark.parametrize("seat", [-1, 2, 2**31 - 1])
async def test_a_seat_that_is_not_there_is_refused(people: People, seat: int) -> None:
    host, anna = await several(people, 2)
    refused = await refusal(anna.join((await host.open()).id, seat))
    assert (refused.reason, refused.field) == (error_pb2.ERROR_REASON_INVALID_FIELD, "seat")


async def test_a_table_that_people_have_left_is_closed(people: People) -> None:
    host, anna = await several(people, 2)
    table = await host.open(options=FOUR, computers=1)
    await anna.join(table.id)
    await host.leave(table.id)
    assert await anna.is_in(table.id, "OPEN")
    await host.leave(table.id)
    await anna.leave(table.id)
    assert await anna.is_in(table.id, "CLOSED")
    assert (await refusal(host.join(table.id))).reason == error_pb2.ERROR_REASON_TABLE_CLOSED
    await anna.leave(table.id)
    assert await anna.seats() == await host.seats() == []


async def test_nobody_leaves_once_the_match_has_begun(people: People) -> None:
    host, anna = await several(people, 2)
    table = await host.open()
    await anna.join(table.id)
    refused = await refusal(anna.leave(table.id))
    assert refused.reason == error_pb2.ERROR_REASON_TABLE_CLOSED
    assert await anna.seats() == [table.id]


async def test_computers_take_the_seats_that_are_wanted_for_them(people: People) -> None:
    host = await people.guest()
    table = await host.open(options=FOUR, computers=2)
    assert [seat.computer for seat in table.seats] == [False, True, True, False]
    assert len({seat.account for seat in table.seats if seat.computer} & set(COMPUTERS)) == 2
    added = await host.add_computer(table.id)
    assert added.seat == 3
    assert added.table.state == pb.ROOM_STATE_STARTING
    assert len({seat.account for seat in added.table.seats}) == 4
    assert (await refusal(host.add_computer(table.id))).reason == error_pb2.ERROR_REASON_SEAT_TAKEN


async def test_computers_sit_at_many_tables(people: People) -> None:
    hosts = await several(people, len(COMPUTERS) + 3)
    tables = [await host.open(computers=1) for host in hosts]
    assert all(table.state == pb.ROOM_STATE_STARTING for table in tables)
    assert {table.seats[1].account for table in tables} <= set(COMPUTERS)


async def test_only_who_sits_there_seats_a_computer(people: People) -> None:
    host, anna = await several(people, 2)
    table = await host.open()
    assert (await refusal(anna.add_computer(table.id))).reason == error_pb2.ERROR_REASON_NOT_SEATED


@pytest.mark.parametrize("table", ["", "lobby", "tbl_*", "tbl_" + "A" * 20, "x" * 1000])
async def test_what_is_no_table_is_not_found(people: People, table: str) -> None:
    anna = await people.guest()
    for call in (anna.get(table), anna.join(table), anna.leave(table), anna.add_computer(table)):
        assert (await refusal(call)).reason == error_pb2.ERROR_REASON_NOT_FOUND
    assert (await refusal(anna.get(new_id("tbl")))).reason == error_pb2.ERROR_REASON_NOT_FOUND


async def test_strangers_see_nothing(people: People) -> None:
    request = pb.ListTablesRequest()
    for call in (people.lobby.ListTables(request), people.lobby.GetSeats(pb.GetSeatsRequest())):
        assert (await refusal(call)).reason == error_pb2.ERROR_REASON_UNAUTHENTICATED


async def all_pages(who: Player, size: int, **filters: object) -> list[list[str]]:
    pages: list[list[str]] = []
    token = ""
    while True:
        found = await who.tables(page=PageRequest(size=size, token=token), **filters)
        pages.append([table.id for table in found.tables])
        token = found.page.next
        if not token:
            return pages


async def test_tables_are_listed_newest_first_page_by_page(people: People) -> None:
    hosts = await several(people, 5)
    opened = [(await host.open()).id for host in hosts]
    pages = await all_pages(hosts[0], 2, state=pb.ROOM_STATE_OPEN)
    listed = [table for page in pages for table in page]
    assert len(set(listed)) == len(listed)
    assert [table for table in listed if table in opened] == opened[::-1]
    assert all(len(page) == 2 for page in pages[:-1])


async def test_a_page_is_not_changed_by_tables_that_are_opened_meanwhile(people: People) -> None:
    hosts = await several(people, 4)
    opened = [(await host.open()).id for host in hosts[:3]]
    first = await hosts[0].tables(page=PageRequest(size=1))
    newer = await hosts[3].open()
    second = await hosts[0].tables(page=PageRequest(size=2, token=first.page.next))
    assert [table.id for table in first.tables] + [table.id for table in second.tables] == opened[::-1]
    assert newer.id not in [table.id for table in second.tables]


async def test_filters_choose_and_a_token_belongs_to_its_list(people: People) -> None:
    host, anna = await several(people, 2)
    table = await host.open()
    await anna.open(computers=1)
    found = await host.tables(state=pb.ROOM_STATE_STARTING, page=PageRequest(size=200))
    assert table.id not in [each.id for each in found.tables]
    assert not (await host.tables(game="tarocco")).tables
    first = await host.tables(page=PageRequest(size=1))
    for fields in ({"game": "scopa"}, {"state": pb.ROOM_STATE_OPEN}):
        page = PageRequest(size=1, token=first.page.next)
        refused = await refusal(host.tables(page=page, **fields))
        assert (refused.reason, refused.field) == (error_pb2.ERROR_REASON_INVALID_FIELD, "page.token")


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"page": PageRequest(size=-1)}, "page.size"),
        ({"page": PageRequest(token="nonsense")}, "page.token"),
        ({"page": PageRequest(token="W10=")}, "page.token"),
        ({"page": PageRequest(token="x" * 5000)}, "page.token"),
        ({"state": 77}, "state"),
    ],
)
async def test_a_list_that_cannot_be_is_refused(
    people: People, fields: dict[str, object], field: str
) -> None:
    refused = await refusal((await people.guest()).tables(**fields))
    assert (refused.reason, refused.field) == (error_pb2.ERROR_REASON_INVALID_FIELD, field)


async def test_however_people_come_and_go_everybody_sits_once_and_no_seat_holds_two(people: People) -> None:
    """Many people do many things at once, by a seed; the database's constraints hold whatever happens."""
    crowd = await several(people, 8)
    tables: list[str] = []
    refusals: list[int] = []

    async def live(who: Player, seed: int) -> None:
        rng = random.Random(seed)  # noqa: S311
        for _ in range(12):
            what = rng.choice(("open", "join", "join", "leave"))
            did: object = None
            if what == "open":
                did = await outcome(who.open(options=FOUR))
                if isinstance(did, pb.Table):
                    tables.append(did.id)
            elif tables and what == "join":
                did = await outcome(who.join(rng.choice(tables), rng.choice((None, 0, 1, 2, 3))))
            elif tables:
                did = await outcome(who.leave(rng.choice(tables)))
            if isinstance(did, int):
                refusals.append(did)

    await asyncio.gather(*(live(who, 20261130 + number) for number, who in enumerate(crowd)))
    assert set(refusals) <= {
        error_pb2.ERROR_REASON_ALREADY_SEATED,
        error_pb2.ERROR_REASON_SEAT_TAKEN,
        error_pb2.ERROR_REASON_TABLE_CLOSED,
    }
    seated: list[str] = []
    for table in tables:
        found = await crowd[0].get(table)
        there = [seat.account for seat in found.seats if seat.account]
        if found.state != pb.ROOM_STATE_CLOSED:
            assert there, "an open table has somebody at it"
            seated += there
    assert len(seated) == len(set(seated))
    for who in crowd:
        assert len(await who.seats()) == seated.count(who.id)
