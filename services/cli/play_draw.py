"""The table as lines of coloured text, from the view alone.

Seats with their clocks, zones by layout, scores.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.text import Text
from tavolo.table.v1.view_pb2 import TABLE_STATE_COVER, TABLE_STATE_OVER, TABLE_STATE_READY, SeatClock, Zone

from services.cli.play_cards import backs
from services.cli.play_scene import Scene, clock_text
from services.cli.play_words import object_of, stakes

_LOW_MS = 20_000
_VERY_LOW_MS = 10_000
_BETWEEN = Text("  |  ")
_MOST_MOVES = 60
_CORNER = 14  # width of the label before a zone or a score item


def table_lines(scene: Scene) -> list[Text]:
    """The whole table; empty before the first view."""
    if scene.update is None:
        return []
    lines = [_title(scene), *_notices(scene), *_seats(scene), Text()]
    lines += _zone_lines(scene, [zone for zone in scene.zones if not zone.HasField("seat")])
    if facts := _facts(scene):
        lines.append(facts)
    if scene.public.state in {TABLE_STATE_COVER, TABLE_STATE_READY, TABLE_STATE_OVER}:
        lines += score_lines(scene)
    return lines


def score_lines(scene: Scene) -> list[Text]:
    """The hand that ended last, item by item, and the match score; empty before the first end."""
    public = scene.public
    if not public.hand_score:
        return []
    words = scene.words
    sides = [scene.side(side) for side in range(len(public.scores))]
    wide = max(map(len, sides)) + 2
    corner = max(_CORNER, *(len(words.item(item.id)) + 1 for item in public.hand_score))
    lines = [Text(), Text(" " * corner + "".join(f"{side:>{wide}}" for side in sides), style="bold")]
    lines += [
        Text(f"{words.item(item.id):<{corner}}" + "".join(f"{value:>{wide}}" for value in item.values))
        for item in public.hand_score
    ]
    total = f"{words('score'):<{corner}}" + "".join(f"{value:>{wide}}" for value in public.scores)
    return [*lines, Text(total, style="bold")]


def move_lines(scene: Scene, width: int) -> list[Text]:
    """The legal moves with their numbers, in as many columns as fit.

    Of very many only the first are shown: the others are as easily typed as found.
    """
    listed = scene.moves
    moves = [
        Text.assemble((f"{number:>3} ", "dim"), scene.faces.move(move.text))
        for number, move in enumerate(listed[:_MOST_MOVES], start=1)
    ]
    if not moves:
        return []
    column = max(move.cell_len for move in moves) + 2
    columns = max(1, width // column)
    rows = -(-len(moves) // columns)
    lines = []
    for row in range(rows):
        line = Text()
        for move in moves[row::rows]:
            move.pad_right(column - move.cell_len)
            line.append_text(move)
        lines.append(line)
    if more := len(listed) - len(moves):
        lines.append(Text(scene.words("more_moves", count=more, example=listed[-1].text), style="dim"))
    return lines


def question(scene: Scene) -> Text:
    """What the table asks, and of whom."""
    words = scene.words
    if scene.update is None or scene.is_over:
        return Text()
    public = scene.public
    if scene.wants_ready:
        return Text(f"{words('avanti')}  {_short(scene.ready_wait_ms)}", style="bold")
    if public.state == TABLE_STATE_READY:
        return Text(words("avanti_wait", left=_short(scene.ready_wait_ms)), style="dim")
    if public.state == TABLE_STATE_COVER:
        return Text(words("cover_wait"), style="dim")
    if scene.moves:
        asked = [prompt for prompt in public.prompts if scene.seat in prompt.seats]
        text = " · ".join(prompt.text_en if words.language == "en" else prompt.text_it for prompt in asked)
        return Text(f"{text}. {words('your_move')}" if text else words("your_move"), style="bold")
    names = ", ".join(scene.name(seat) for seat in public.to_act)
    return Text(words("not_your_turn", names=names) if names else "", style="dim")


def _title(scene: Scene) -> Text:
    words, info = scene.words, scene.info
    public = scene.public
    parts = [info.game.replace("_", " ").title(), words("hand", hand=public.hand)]
    if public.tie_break:
        parts.append(words("tie_break", number=public.tie_break))
    parts += [stakes(words, info), info.match]
    if scene.seat is None:
        parts.append(words("watching"))
    return Text(" · ".join(parts), style="bold reverse")


def _notices(scene: Scene) -> Iterator[Text]:
    if scene.public.clocks.paused:
        yield Text(scene.words("paused"), style="bold yellow")
    if wait := scene.resume_wait_ms:
        yield Text(scene.words("resume_wait", left=_short(wait)), style="bold yellow")


def _seats(scene: Scene) -> Iterator[Text]:
    """The others first, in the order in which play passes on from the viewer; the viewer's own seat last."""
    seats = len(scene.info.seats)
    first = 0 if scene.seat is None else scene.seat + 1
    for seat in (number % seats for number in range(first, first + seats)):
        yield from _seat(scene, seat)


def _seat(scene: Scene, seat: int) -> Iterator[Text]:
    words = scene.words
    public = scene.public
    who = scene.info.seats[seat]
    line = Text("▶ " if seat in public.to_act else "  ", style="bold green")
    line.append(who.nickname, style="bold" if seat == scene.seat else "")
    tags = [words("you")] if seat == scene.seat else []
    if who.computer and "computer" not in who.nickname.casefold():
        tags.append(words("computer"))
    if seat == public.dealer:
        tags.append(words("dealer"))
    if tags:
        line.append(f" ({', '.join(tags)})", style="dim")
    if seat < len(public.clocks.seats):
        line.append("  ").append_text(_clock(scene, public.clocks.seats[seat]))
    if who.side < len(public.scores):
        line.append(f"  {public.scores[who.side]}", style="bold")
    yield line
    yield from _zone_lines(
        scene, [zone for zone in scene.zones if zone.HasField("seat") and zone.seat == seat]
    )


def _clock(scene: Scene, clock: SeatClock) -> Text:
    words = scene.words
    if not clock.connected:
        grace = clock.grace_ms
        return Text(words("away_for", left=clock_text(grace)) if grace else words("away"), style="yellow")
    left = scene.left_ms(clock)
    style = "bold" if clock.running else "dim"
    if clock.running and left <= _LOW_MS:
        style = "bold red" if left <= _VERY_LOW_MS else "bold yellow"
    return Text(f"⏱ {clock_text(left)}{' +' if clock.bonus and clock.running else ''}", style=style)


def _zone_lines(scene: Scene, zones: Sequence[Zone]) -> Iterator[Text]:
    """Zones by their kinds and sides, those of one kind in one line; columns in a line each."""
    for (kind, side, layout), group in groupby(zones, _shelf):
        label = scene.words.zone(kind)
        if side is not None:
            label = f"{label} {scene.side(side)}"
        shown = [_cards(scene, zone) for zone in group]
        if layout == "columns" and len(shown) > 1:
            for number, cards in enumerate(shown, start=1):
                yield Text(f"    {label} {number}: ", style="dim").append_text(cards)
        elif any(shown):
            yield Text(f"    {label}: ", style="dim").append_text(_BETWEEN.join(shown))


def _shelf(zone: Zone) -> tuple[str, int | None, str]:
    """What zones that lie in one line have in common: kind, whose, layout. A seat's are all the seat's."""
    is_of_side = zone.HasField("side") and not zone.HasField("seat")
    return zone.kind, zone.side if is_of_side else None, zone.layout


def _cards(scene: Scene, zone: Zone) -> Text:
    """The cards of a zone by its layout; a meld with the number that moves call it by."""
    faces = scene.faces
    shown = Text(style="not dim")
    if zone.groups:
        shown.append_text(_BETWEEN.join(_column(scene, group.hidden, group.cards) for group in zone.groups))
    elif zone.layout == "columns":
        shown.append_text(_column(scene, zone.count - len(zone.cards), zone.cards))
    elif zone.layout == "melds":
        shown.append(f"m{zone.id.rpartition('.')[2]} ", style="dim").append_text(
            faces.cards(list(zone.cards))
        )
    elif zone.layout in {"pile", "stack"} and zone.count > len(zone.cards[:1]):
        shown.append_text(faces.cards(list(zone.cards[-1:])))
        shown.append(f"{' ' if zone.cards else ''}({zone.count})")
    elif zone.cards:
        shown.append_text(faces.cards(list(zone.cards)))
    elif zone.count:
        shown.append_text(backs(zone.count))
    else:
        shown.append("–")
    return shown


def _column(scene: Scene, hidden: int, cards: Sequence[str]) -> Text:
    """Faces over cards that nobody sees."""
    if not hidden and not cards:
        return Text("–")
    return Text(" ").join([*([backs(hidden)] if hidden else []), scene.faces.cards(list(cards))])


def _facts(scene: Scene) -> Text:
    """What the view says besides cards, if it says something to a player."""
    facts = {**object_of(scene.public.facts), **object_of(scene.own.facts)}
    said = [scene.words.fact(key, value, scene.name) for key, value in facts.items()]
    return Text("    " + " · ".join(filter(None, said)), style="dim") if any(said) else Text()


def _short(ms: int) -> str:
    return f"{-(-ms // 1000)} s"
