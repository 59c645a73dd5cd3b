"""The limit of new accounts, as people meet it: behind a gateway."""

import grpc
from tavolo.common.v1 import error_pb2
from tavolo.lobby.v1 import account_pb2
from tavolo.lobby.v1.account_pb2_grpc import AccountServiceStub

from services.cli.cluster import Cluster, Plan, temporary_folder
from tests.lobby.people import nickname, outcome
from tests.support.processes import ignore

BURST = 3


async def test_new_accounts_count_for_the_address_that_the_gateway_sees_whatever_a_client_claims() -> None:
    limits = {"TAVOLO_LOBBY_SIGN_UP_BURST": str(BURST), "TAVOLO_LOBBY_SIGN_UPS_A_MINUTE": "0.01"}
    with temporary_folder() as place:
        cluster = Cluster(Plan(place, workers=1, part_env={"lobby": limits}), ignore)
        await cluster.start()
        try:
            async with (
                grpc.aio.insecure_channel(cluster.address("gateway")) as outside,
                grpc.aio.insecure_channel(cluster.address("lobby")) as inside,
            ):
                for number in range(BURST + 2):
                    request = account_pb2.SignInGuestRequest(nickname=nickname())
                    claimed = (("x-forwarded-for", f"192.0.2.{number}"),)
                    did = await outcome(AccountServiceStub(outside).SignInGuest(request, metadata=claimed))
                    assert (did == error_pb2.ERROR_REASON_RATE_LIMITED) == (number >= BURST)
                # Another address of the lobby's: the gateway's own is not what was counted.
                request = account_pb2.SignInGuestRequest(nickname=nickname())
                assert (await AccountServiceStub(inside).SignInGuest(request)).account.guest
        finally:
            await cluster.stop()
