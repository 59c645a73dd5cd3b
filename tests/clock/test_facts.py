"""The facts of a table, from the headers of its log."""

import pytest

from services.clock.facts import Fact, read
from services.runtime.messages import StoredMessage


def message(headers: dict[str, str]) -> StoredMessage:
    return StoredMessage("tavolo.table.log.3.11.tbl_x", 7, b"", headers)


def test_a_running_deadline() -> None:
    headers = {"Nats-Msg-Id": "c", "Tavolo-Version": "12", "Tavolo-To-Act": "0,2", "Tavolo-Left-Ms": "61500"}
    assert read(message(headers)) == Fact("tbl_x", 12, 61_500)


def test_nothing_runs() -> None:
    assert read(message({"Tavolo-Version": "3", "Tavolo-State": "over"})) == Fact("tbl_x", 3, None)


@pytest.mark.parametrize(
    "headers",
    [{"Nats-Msg-Id": "c"}, {"Tavolo-Version": "x"}, {"Tavolo-Version": "1", "Tavolo-Left-Ms": "soon"}],
)
def test_what_is_no_fact_is_refused(headers: dict[str, str]) -> None:
    with pytest.raises(ValueError):
        read(message(headers))
