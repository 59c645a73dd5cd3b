"""Ids, shards, seals, errors, logs: the small parts."""

import io
import json
import sys

import pytest
from tavolo.common.v1.error_pb2 import ErrorDetail, ErrorReason

from services.runtime import errors, logs
from services.runtime.errors import TavoloError
from services.runtime.ids import new_id, valid_command_id, valid_id
from services.runtime.sealing import Sealer, SealError
from services.runtime.shards import SHARDS, STREAMS, log_subject, shard_of, stream_of


def test_ids_are_new_and_safe_in_a_subject() -> None:
    made = {new_id("tbl") for _ in range(1000)}
    assert len(made) == 1000
    assert all(valid_id(each, "tbl") for each in made)


@pytest.mark.parametrize(
    "text",
    ["", "tbl_", "tbl_a.b", "tbl_*" + "a" * 19, "tbl_" + "A" * 20, "mch_" + "a" * 20, "tbl_" + "a" * 21],
)
def test_what_is_no_id_is_refused(text: str) -> None:
    assert not valid_id(text, "tbl")


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("a", True),
        ("A-b_9" * 12, True),
        ("", False),
        ("a" * 65, False),
        ("a b", False),
        ("ä", False),
        ("a\n", False),
    ],
)
def test_command_ids(text: str, good: bool) -> None:
    assert valid_command_id(text) is good


def test_tables_spread_over_shards_and_streams() -> None:
    # The first four bytes of the SHA-256 of "tbl_x" are 5e 77 0d f2.
    import hashlib

    first = int.from_bytes(hashlib.sha256(b"tbl_x").digest()[:4], "big")
    assert shard_of("tbl_x") == first % 256
    assert log_subject("tbl_x") == f"tavolo.table.log.{first % 8}.{first % 256}.tbl_x"
    assert {shard_of(f"tbl_{number}") for number in range(5000)} == set(range(SHARDS))
    assert {stream_of(shard) for shard in range(SHARDS)} == set(range(STREAMS))


def test_what_is_sealed_opens_only_in_its_place_with_its_key() -> None:
    old = Sealer({"old": b"o" * 32}, "old")
    new = Sealer({"old": b"o" * 32, "new": b"n" * 32}, "new")
    key_id, sealed = old.seal(b"seed", b"tbl_1/1")
    assert key_id == "old"
    assert b"seed" not in sealed
    assert new.open(key_id, sealed, b"tbl_1/1") == b"seed"
    assert new.seal(b"seed", b"x")[0] == "new"
    assert old.seal(b"seed", b"tbl_1/1")[1] != sealed
    for key, data, place in [
        ("old", sealed, b"tbl_1/2"),
        ("new", sealed, b"tbl_1/1"),
        ("none", sealed, b"tbl_1/1"),
        ("old", sealed[:-1], b"tbl_1/1"),
        ("old", b"", b"tbl_1/1"),
    ]:
        with pytest.raises(SealError):
            new.open(key, data, place)
    with pytest.raises(SealError):
        Sealer({"short": b"1"}, "short")
    with pytest.raises(SealError):
        Sealer({}, "missing")


def test_every_reason_has_a_status_code_and_survives_the_journey() -> None:
    for reason in ErrorReason.values():
        error = TavoloError(reason, "why", "options.target", "must_take_equal", 1.25)
        assert error.code.name
        back = errors.from_detail(ErrorDetail.FromString(errors.detail(error, "req_1").SerializeToString()))
        assert (back.reason, back.text, back.field, back.rule, back.retry_after_s) == (
            reason,
            "why",
            "options.target",
            "must_take_equal",
            1.25,
        )


def test_log_lines_are_json_with_bound_ids_and_without_secrets() -> None:
    out = io.StringIO()
    try:
        logs.configure("test", "info", "json", out)
        logs.bind(request_id="req_1", table="tbl_1")
        logs.logger().info("it_happened", password="hunter2", nested={"url": logs.Secret("hunter2")}, ms=3)
        logs.logger().debug("unheard")
        try:
            seed = "hunter2"
            raise ValueError(len(seed))
        except ValueError:
            logs.logger().exception("it_failed")
    finally:
        logs.configure("test", "info", "console", sys.stdout)
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [line["event"] for line in lines] == ["it_happened", "it_failed"]
    assert lines[0]["part"] == "test"
    assert (lines[0]["request_id"], lines[0]["table"], lines[0]["ms"]) == ("req_1", "tbl_1", 3)
    assert lines[1]["exception"][0]["exc_type"] == "ValueError"
    # Neither a value of a secret kind, nor one of a secret name, nor the local variables of a traceback.
    assert "hunter2" not in out.getvalue()
