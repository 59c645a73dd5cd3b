"""Accounts, guests and tokens, at a real lobby."""

import asyncio
import json
import signal
import time

import asyncpg
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from tavolo.common.v1 import error_pb2
from tavolo.lobby.v1 import account_pb2
from tavolo.lobby.v1.account_pb2_grpc import AccountServiceStub

from services.lobby.computers import COMPUTERS
from services.runtime.auth import read_keys
from tests.lobby.people import People, Player, nickname, refusal
from tests.support.processes import Identities, PostgresServer, Service, Services

PASSWORD = "carte da gioco"


async def me(people: People, access: str) -> account_pb2.Account:
    response = await people.accounts.GetMe(
        account_pb2.GetMeRequest(), metadata=(("authorization", f"Bearer {access}"),)
    )
    found: account_pb2.Account = response.account
    return found


async def test_who_signs_up_can_sign_in_again_in_any_case(people: People) -> None:
    name = nickname("Lia")
    made = await people.sign_up(name, PASSWORD)
    for typed in (name, name.upper(), name.lower(), f" {name} "):
        again = await people.sign_in(typed, PASSWORD)
        assert (again.id, again.account.nickname) == (made.id, name)
    assert (await me(people, made.tokens.access)).id == made.id


async def test_an_unknown_nickname_a_wrong_password_and_a_guest_get_the_same_answer(people: People) -> None:
    name, guest = nickname(), nickname()
    await people.sign_up(name, PASSWORD)
    await people.guest(guest)
    answers = [
        await refusal(people.sign_in(*attempt))
        for attempt in (
            (name, "wrong password"),
            (nickname(), PASSWORD),
            (guest, PASSWORD),
            (name, ""),
            ("", ""),
        )
    ]
    assert {answer.reason for answer in answers} == {error_pb2.ERROR_REASON_BAD_CREDENTIALS}
    assert len({(answer.text, answer.field) for answer in answers}) == 1


@pytest.mark.parametrize("password", ["", "1234567", "x" * 129])
async def test_a_password_has_8_to_128_characters(people: People, password: str) -> None:
    answer = await refusal(people.sign_up(nickname(), password))
    assert (answer.reason, answer.field) == (error_pb2.ERROR_REASON_INVALID_FIELD, "password")


async def test_a_nickname_that_looks_like_a_taken_one_is_taken(people: People) -> None:
    name = nickname("Mario")
    await people.guest(name)
    for other in (name.upper(), name.replace("a", "а"), name.replace("o", "0"), f"{name[:5]}_{name[5:]}"):
        answer = await refusal(people.sign_up(other, PASSWORD))
        assert (answer.reason, answer.field) == (error_pb2.ERROR_REASON_NICKNAME_TAKEN, "nickname")
        assert "another" in answer.text


async def test_of_many_who_want_nicknames_that_look_alike_at_once_one_gets_it(people: People) -> None:
    name = nickname("rosa")
    forms = [name, name.upper(), name.title(), name.replace("o", "0"), name.replace("a", "à")] * 3
    results = await asyncio.gather(*(people.guest(form) for form in forms), return_exceptions=True)
    assert sum(isinstance(result, Player) for result in results) == 1
    others = [result for result in results if not isinstance(result, Player)]
    reasons = [(await refusal(_raise(each))).reason for each in others]
    assert set(reasons) == {error_pb2.ERROR_REASON_NICKNAME_TAKEN}


async def _raise(error: BaseException) -> None:
    raise error


async def test_a_guest_that_is_kept_keeps_its_id(people: People) -> None:
    name = nickname()
    guest = await people.guest(name)
    assert guest.account.guest
    kept = await people.accounts.KeepGuest(
        account_pb2.KeepGuestRequest(password=PASSWORD), metadata=guest.metadata
    )
    assert (kept.account.id, kept.account.guest) == (guest.id, False)
    assert (await people.sign_in(name, PASSWORD)).id == guest.id
    again = await refusal(
        people.accounts.KeepGuest(
            account_pb2.KeepGuestRequest(password="another one"), metadata=guest.metadata
        )
    )
    assert again.reason == error_pb2.ERROR_REASON_WRONG_STATE
    assert (await people.sign_in(name, PASSWORD)).id == guest.id


async def test_a_guest_whose_session_has_ended_frees_its_nickname(
    people: People, lobby: Service, postgres: PostgresServer
) -> None:
    name = nickname()
    guest = await people.guest(name)
    database = await asyncpg.connect(lobby.child.program.env["TAVOLO_DATABASE_URL"])
    try:
        await database.execute("UPDATE lobby.sessions SET expires = now() WHERE account = $1", guest.id)
    finally:
        await database.close()
    assert (
        await refusal(people.refresh(guest.tokens.refresh))
    ).reason == error_pb2.ERROR_REASON_UNAUTHENTICATED
    assert (await people.guest(name.upper())).id != guest.id
    kept = account_pb2.KeepGuestRequest(password=PASSWORD)
    late = await refusal(people.accounts.KeepGuest(kept, metadata=guest.metadata))
    assert late.reason == error_pb2.ERROR_REASON_WRONG_STATE


async def test_a_refresh_token_works_once_and_a_second_use_ends_all_sessions(people: People) -> None:
    name = nickname()
    first = await people.sign_up(name, PASSWORD)
    elsewhere = await people.sign_in(name, PASSWORD)
    second = await people.refresh(first.tokens.refresh)
    third = await people.refresh(second.tokens.refresh)
    assert third.id == first.id
    for used in (first, third, elsewhere):
        answer = await refusal(people.refresh(used.tokens.refresh))
        assert answer.reason == error_pb2.ERROR_REASON_UNAUTHENTICATED
    assert (await people.sign_in(name, PASSWORD)).id == first.id


async def test_two_who_use_a_refresh_token_at_once_do_not_both_get_on(people: People) -> None:
    guest = await people.guest()
    results = await asyncio.gather(
        *(people.refresh(guest.tokens.refresh) for _ in range(5)), return_exceptions=True
    )
    assert sum(isinstance(result, Player) for result in results) <= 1


@pytest.mark.parametrize(
    "refresh", ["", "ses_x", "ses_aaaaaaaaaaaaaaaaaaaa.x", "x" * 5000, "ses_'; DROP TABLE.x"]
)
async def test_a_refresh_token_of_nobody_is_refused(people: People, refresh: str) -> None:
    assert (await refusal(people.refresh(refresh))).reason == error_pb2.ERROR_REASON_UNAUTHENTICATED


async def test_an_access_token_says_who_and_for_how_long(people: People) -> None:
    name = nickname()
    guest = await people.guest(name)
    response = await people.accounts.GetKeys(account_pb2.GetKeysRequest())
    keys = read_keys(response.jwks)
    header = jwt.get_unverified_header(guest.tokens.access)
    claims = jwt.decode(
        guest.tokens.access, keys[header["kid"]], algorithms=["EdDSA"], audience="tavolo", issuer="tavolo"
    )
    assert (claims["sub"], claims["name"], claims["typ"]) == (guest.id, name, "access")
    assert set(claims["roles"]) == {"player", "guest"}
    assert claims["exp"] - claims["iat"] == 900
    assert claims["exp"] == guest.tokens.access_expires.seconds
    assert claims["jti"]


def forged(claims: dict[str, object], key: Ed25519PrivateKey, kid: str, algorithm: str = "EdDSA") -> str:
    now = int(time.time())
    usual: dict[str, object] = {
        "iss": "tavolo", "aud": "tavolo", "sub": "ply_" + "a" * 20, "iat": now, "exp": now + 600, "jti": "j",
        "typ": "access", "name": "x", "roles": ["player", "auditor"],
    }  # fmt: skip
    return jwt.encode({**usual, **claims}, key, algorithm=algorithm, headers={"kid": kid})


async def test_tokens_that_the_lobby_did_not_make_so_are_refused(
    people: People, identities: Identities
) -> None:
    kid, key = identities.player_key_id, identities.player_key
    other = Ed25519PrivateKey.generate()
    now = int(time.time())
    header, payload, _ = forged({}, key, kid).split(".")
    wrong = [
        forged({}, other, kid),
        forged({}, other, "unknown"),
        forged({"iss": "evil"}, key, kid),
        forged({"aud": "lobby"}, key, kid),
        forged({"exp": now - 120}, key, kid),
        forged({"iat": now + 600, "nbf": now + 600}, key, kid),
        forged({"typ": "refresh"}, key, kid),
        jwt.encode({"sub": "x"}, "secret" * 8, algorithm="HS256", headers={"kid": kid}),
        jwt.encode({"sub": "x"}, "", algorithm="none", headers={"kid": kid}),
        f"{header}.{payload}.",
        "not.a.token",
        "",
    ]
    for token in wrong:
        answer = await refusal(me(people, token))
        assert answer.reason == error_pb2.ERROR_REASON_UNAUTHENTICATED, token


async def test_computers_are_signed_in_for_the_bots_service_only(
    people: People, lobby: Service, identities: Identities
) -> None:
    async with identities.channel(lobby.grpc, "lobby", as_part="bots") as channel:
        bots = AccountServiceStub(channel)
        response = await bots.SignInComputers(account_pb2.SignInComputersRequest())
    assert {each.account.id: each.account.nickname for each in response.computers} == COMPUTERS
    for each in response.computers:
        assert each.account.computer
        assert not each.tokens.refresh
    assert (await me(people, response.computers[0].tokens.access)).id == response.computers[0].account.id

    guest = await people.guest()
    request = account_pb2.SignInComputersRequest()
    as_player = await refusal(people.accounts.SignInComputers(request, metadata=guest.metadata))
    assert as_player.reason == error_pb2.ERROR_REASON_NOT_PERMITTED
    assert (
        await refusal(people.accounts.SignInComputers(request))
    ).reason == error_pb2.ERROR_REASON_UNAUTHENTICATED
    async with identities.channel(lobby.grpc, "lobby", as_part="chat") as channel:
        answer = await refusal(AccountServiceStub(channel).SignInComputers(request))
        assert answer.reason == error_pb2.ERROR_REASON_NOT_PERMITTED


async def test_wrong_passwords_are_limited_by_nickname_and_the_right_one_clears(
    service: Services, identities: Identities
) -> None:
    lobby = await service(
        "lobby", {"TAVOLO_LOBBY_SIGN_IN_BURST": "3", "TAVOLO_LOBBY_SIGN_INS_A_MINUTE": "0.5"}
    )
    async with identities.channel(lobby.grpc, "lobby") as channel:
        people = People(channel)
        name, other = nickname(), nickname()
        await people.sign_up(name, PASSWORD)
        await people.sign_up(other, PASSWORD)
        for _ in range(2):
            for _ in range(2):
                assert (
                    await refusal(people.sign_in(name, "wrong one"))
                ).reason == error_pb2.ERROR_REASON_BAD_CREDENTIALS
            await people.sign_in(name.upper(), PASSWORD)
        for _ in range(3):
            await refusal(people.sign_in(name, "wrong one"))
        for typed in (name, name.upper()):
            limited = await refusal(people.sign_in(typed, PASSWORD))
            assert limited.reason == error_pb2.ERROR_REASON_RATE_LIMITED
            assert limited.retry_after_s is not None
            assert 0 < limited.retry_after_s <= 120
        await people.sign_in(other, PASSWORD)
    await lobby.kill()
    await lobby.start()
    async with identities.channel(lobby.grpc, "lobby") as channel:
        people = People(channel)
        assert (await refusal(people.sign_in(name, PASSWORD))).reason == error_pb2.ERROR_REASON_RATE_LIMITED


async def test_new_accounts_are_limited_by_address(service: Services, identities: Identities) -> None:
    lobby = await service(
        "lobby", {"TAVOLO_LOBBY_SIGN_UP_BURST": "3", "TAVOLO_LOBBY_SIGN_UPS_A_MINUTE": "0.5"}
    )
    async with (
        identities.channel(lobby.grpc, "lobby") as channel,
        identities.channel(lobby.grpc, "lobby", as_part="gateway") as gateway,
    ):
        people = People(channel)
        for _ in range(3):
            await people.guest()
        assert (await refusal(people.guest())).reason == error_pb2.ERROR_REASON_RATE_LIMITED
        request = account_pb2.SignInGuestRequest(nickname=nickname())
        forwarded = (("x-forwarded-for", "192.0.2.7"),)
        believed_from_players = await refusal(people.accounts.SignInGuest(request, metadata=forwarded))
        assert believed_from_players.reason == error_pb2.ERROR_REASON_RATE_LIMITED
        stub = AccountServiceStub(gateway)
        for _ in range(3):
            await stub.SignInGuest(account_pb2.SignInGuestRequest(nickname=nickname()), metadata=forwarded)
        limited = await refusal(stub.SignInGuest(request, metadata=forwarded))
        assert limited.reason == error_pb2.ERROR_REASON_RATE_LIMITED


async def test_keys_rotate_while_the_lobby_runs(
    service: Services, identities: Identities, tmp_path: object
) -> None:
    folder = identities.keys.player_keys.parent / "rotating"
    folder.mkdir()
    (folder / "2026-01.pem").write_bytes(_pem())
    lobby = await service("lobby", {"TAVOLO_LOBBY_SIGNING_KEYS_DIR": str(folder)})
    async with identities.channel(lobby.grpc, "lobby") as channel:
        people = People(channel)
        before = await people.guest()
        assert jwt.get_unverified_header(before.tokens.access)["kid"] == "2026-01"
        (folder / "2026-02.pem").write_bytes(_pem())
        lobby.signal(signal.SIGHUP)

        async def kids() -> set[str]:
            response = await people.accounts.GetKeys(account_pb2.GetKeysRequest())
            return {key["kid"] for key in json.loads(response.jwks)["keys"]}

        async with asyncio.timeout(10):
            while await kids() != {"2026-01", "2026-02"}:
                pass
        after = await people.guest()
        assert jwt.get_unverified_header(after.tokens.access)["kid"] == "2026-02"
        assert (await me(people, before.tokens.access)).id == before.id
        assert (await me(people, after.tokens.access)).id == after.id


def _pem() -> bytes:
    return Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


async def test_no_password_and_no_token_reaches_the_log(people: People, lobby: Service) -> None:
    name, password = nickname(), "a password for the log"
    made = await people.sign_up(name, password)
    await refusal(people.sign_in(name, "another wrong password"))
    renewed = await people.refresh(made.tokens.refresh)
    await refusal(people.refresh(made.tokens.refresh))
    written = lobby.log
    secrets = [
        made.tokens.access,
        renewed.tokens.access,
        made.tokens.refresh,
        renewed.tokens.refresh,
        password,
    ]
    for secret in [*secrets, "another wrong password", made.tokens.refresh.split(".")[1]]:
        assert secret not in written
