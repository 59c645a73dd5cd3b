"""The table as lines of coloured text, from the view alone.

Seats with their clocks, zones by layout, scores.
"""

from collections.abc import Iterator

from rich.text import Text
from tavolo.table.v1.view_pb2 import TABLE_STATE_COVER, TABLE_STATE_OVER, TABLE_STATE_READY, SeatClock, Zone

from services.cli.play_cards import backs
from services.cli.play_scene import Scene, clock_text
from services.cli.play_words import object_of, stakes

_LOW_MS = 20_000
_VERY_LOW_MS = 10_000
_CORNER = 14  # width of the label before a zone or a score item


def table_lines(scene: Scene) -> list[Text]:
    """The whole table; empty before the first view."""
    if scene.update is None:
        return []
    lines = [_title(scene), *_notices(scene), *_seats(scene), Text()]
    lines += [_zone(scene, zone) for zone in scene.zones if not zone.HasField("seat")]
    facts = _facts(scene)
    if facts:
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
    lines = [Text(), Text(" " * _CORNER + "".join(f"{side:>{wide}}" for side in sides), style="bold")]
    lines += [
        Text(f"{words.name(item.id):<{_CORNER}}" + "".join(f"{value:>{wide}}" for value in item.values))
        for item in public.hand_score
    ]
    total = f"{words('score'):<{_CORNER}}" + "".join(f"{value:>{wide}}" for value in public.scores)
    return [*lines, Text(total, style="bold")]


def move_lines(scene: Scene, width: int) -> list[Text]:
    """The legal moves with their numbers, in as many columns as fit."""
    moves = [
        Text.assemble((f"{number:>3} ", "dim"), scene.faces.move(move.text))
        for number, move in enumerate(scene.moves, start=1)
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
    for zone in scene.zones:
        if zone.HasField("seat") and zone.seat == seat:
            yield _zone(scene, zone)


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


def _zone(scene: Scene, zone: Zone) -> Text:
    """One zone in a line: its name, whose it is if it belongs to a side, its cards by its layout."""
    label = scene.words.name(zone.kind)
    if zone.HasField("side") and not zone.HasField("seat"):
        label = f"{label} {scene.side(zone.side)}"
    line = Text(f"    {label}: ", style="dim")
    shown = Text(style="not dim")
    if zone.groups:
        shown.append_text(
            Text("  |  ").join(
                Text(" ").join(
                    [*([backs(group.hidden)] if group.hidden else []), scene.faces.cards(list(group.cards))]
                )
                for group in zone.groups
            )
        )
    elif zone.layout in {"pile", "stack"} and len(zone.cards) < zone.count:
        shown.append_text(scene.faces.cards(list(zone.cards[-1:])))
        shown.append(f"{' ' if zone.cards else ''}({zone.count})")
    elif zone.cards:
        shown.append_text(scene.faces.cards(list(zone.cards)))
    elif zone.count:
        shown.append_text(backs(zone.count))
    else:
        shown.append("–")
    return line.append_text(shown)


def _facts(scene: Scene) -> Text:
    """The public facts that are plain values, one a side or a seat or for all."""
    public, own = scene.public, scene.own
    facts = {**object_of(public.facts), **object_of(own.facts)}
    parts = []
    for key, value in facts.items():
        if isinstance(value, list) and value and all(isinstance(each, int | str) for each in value):
            parts.append(f"{scene.words.name(key)} {' – '.join(map(str, value))}")
        elif isinstance(value, int | str) and not key.startswith("last_"):
            parts.append(f"{scene.words.name(key)} {value}")
    return Text("    " + " · ".join(parts), style="dim") if parts else Text()


def _short(ms: int) -> str:
    return f"{-(-ms // 1000)} s"
