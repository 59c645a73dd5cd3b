"""Every build of deploy/ is good, and what is bad is found."""

import copy
from collections.abc import Callable
from pathlib import Path

import pytest

from deploy.checks.build import PARTS, Build, BuildError, Resource, build, folders, pod_spec
from deploy.validate import problems
from services.cli.main import SERVICES

FOLDERS = folders()


@pytest.mark.parametrize("folder", FOLDERS, ids=[f"{each.parent.name}-{each.name}" for each in FOLDERS])
def test_a_build_is_good(folder: Path) -> None:
    assert list(problems(build(folder))) == []


def test_every_service_of_the_command_has_a_workload() -> None:
    assert set(PARTS) == set(SERVICES)


@pytest.fixture(scope="module")
def production() -> Build:
    return build(next(each for each in FOLDERS if each.name == "production"))


def found(broken: Build) -> str:
    return "\n".join(problems(broken))


def one(resources: Build, kind: str, name: str) -> Resource:
    resource = resources.one(kind, name)
    assert resource is not None
    return resource


def container(resources: Build, name: str) -> Resource:
    first: Resource = pod_spec(one(resources, "Deployment", name))["containers"][0]
    return first


def config(resources: Build, start: str) -> Resource:
    return next(each for each in resources.of("ConfigMap") if each["metadata"]["name"].startswith(start))


def drop_probe(it: Build) -> None:
    del container(it, "chat")["readinessProbe"]


def drop_requests(it: Build) -> None:
    del container(it, "chat")["resources"]["requests"]["memory"]


def limit_cpu(it: Build) -> None:
    container(it, "table-engine")["resources"]["limits"]["cpu"] = "1"


def run_as_root(it: Build) -> None:
    pod_spec(one(it, "Deployment", "lobby"))["securityContext"]["runAsNonRoot"] = False


def write_to_root(it: Build) -> None:
    container(it, "lobby")["securityContext"]["readOnlyRootFilesystem"] = False


def other_image(it: Build) -> None:
    container(it, "clock")["image"] = "tavolo:0.0.9"


def floating_image(it: Build) -> None:
    for part in PARTS:
        container(it, part)["image"] = "tavolo:latest"


def other_command(it: Build) -> None:
    container(it, "scoring")["command"] = ["tavolo", "score"]


def unknown_setting(it: Build) -> None:
    config(it, "chat-settings")["data"]["TAVOLO_CHAT_FLOOD_BRUST"] = "5"


def setting_out_of_range(it: Build) -> None:
    config(it, "gateway-settings")["data"]["TAVOLO_GATEWAY_PROXIES"] = "11"


def setting_left_out(it: Build) -> None:
    del config(it, "bots-settings")["data"]["TAVOLO_BOTS_GATEWAY_TARGET"]


def secret_in_the_open(it: Build) -> None:
    for each in container(it, "lobby")["env"]:
        if each["name"] == "TAVOLO_DATABASE_URL":
            del each["valueFrom"]
            each["value"] = "postgresql://lobby:open@db/tavolo"


def unknown_nats_user(it: Build) -> None:
    next(each for each in container(it, "clock")["env"] if each["name"] == "TAVOLO_NATS_USER")["value"] = (
        "clocks"
    )


def file_on_no_volume(it: Build) -> None:
    config(it, "table-engine-settings")["data"]["TAVOLO_TABLE_ENGINE_SEAL_KEYS_FILE"] = "/etc/seal-keys.json"


def grace_too_short(it: Build) -> None:
    pod_spec(one(it, "Deployment", "table-engine"))["terminationGracePeriodSeconds"] = 20


def config_map_gone(it: Build) -> None:
    config(it, "settings")["metadata"]["name"] = "other"


def selector_meets_nothing(it: Build) -> None:
    one(it, "Service", "lobby")["spec"]["selector"] = {"app.kubernetes.io/name": "lobbies"}


def budget_meets_nothing(it: Build) -> None:
    labels = one(it, "PodDisruptionBudget", "chat")["spec"]["selector"]["matchLabels"]
    labels["app.kubernetes.io/name"] = "chats"


def port_without_name(it: Build) -> None:
    one(it, "Service", "chat")["spec"]["ports"][0]["targetPort"] = "rpc"


def probe_of_no_port(it: Build) -> None:
    container(it, "chat")["livenessProbe"]["httpGet"]["port"] = "health"


def scraped_elsewhere(it: Build) -> None:
    notes = one(it, "Deployment", "chat")["spec"]["template"]["metadata"]["annotations"]
    notes["prometheus.io/port"] = "9090"


def scaled_twice(it: Build) -> None:
    again = copy.deepcopy(one(it, "ScaledObject", "table-engine"))
    again["metadata"]["name"] = "again"
    it.resources.append(again)


def target_of_no_service(it: Build) -> None:
    config(it, "gateway-settings")["data"]["TAVOLO_CHAT_TARGET"] = "dns:///chats:7401"


def call_not_let_in(it: Build) -> None:
    one(it, "NetworkPolicy", "chat")["spec"]["ingress"] = []


def call_not_let_out(it: Build) -> None:
    one(it, "NetworkPolicy", "clock")["spec"]["egress"] = []


def policy_gone(it: Build) -> None:
    it.resources.remove(one(it, "NetworkPolicy", "deny-all"))
    it.resources.remove(one(it, "NetworkPolicy", "bots"))


def unknown_field(it: Build) -> None:
    one(it, "Deployment", "chat")["spec"]["replica"] = 2


def wrong_type(it: Build) -> None:
    one(it, "Deployment", "chat")["spec"]["replicas"] = "2"


def unknown_kind(it: Build) -> None:
    it.resources.append({"apiVersion": "example.org/v1", "kind": "Thing", "metadata": {"name": "thing"}})


def unknown_trigger_field(it: Build) -> None:
    one(it, "ScaledObject", "table-engine")["spec"]["triggers"][0]["metadata"]["treshold"] = "1"


def monitor_misses(it: Build) -> None:
    one(it, "ServiceMonitor", "tavolo")["spec"]["endpoints"][0]["port"] = "http-metrics"


def secret_among_the_manifests(it: Build) -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "open"}, "stringData": {"a": "b"}}
    it.resources.append(secret)


BREAKS: dict[Callable[[Build], None], str] = {
    drop_probe: "no readinessProbe",
    drop_requests: "requests no memory",
    limit_cpu: "a CPU limit throttles it",
    run_as_root: "may run as root",
    write_to_root: "its root file system can be written",
    other_image: "the services run different images",
    floating_image: "is not pinned",
    other_command: "is not `tavolo <part>`",
    unknown_setting: "TAVOLO_CHAT_FLOOD_BRUST is no setting of chat",
    setting_out_of_range: "TAVOLO_GATEWAY_PROXIES='11' is outside",
    setting_left_out: "TAVOLO_BOTS_GATEWAY_TARGET is not set",
    secret_in_the_open: "TAVOLO_DATABASE_URL must come from a Secret",
    unknown_nats_user: "NATS knows no user clocks",
    file_on_no_volume: "is on no mounted volume",
    grace_too_short: "longer to stop than terminationGracePeriodSeconds",
    config_map_gone: "there is no ConfigMap settings-",
    selector_meets_nothing: "Service/lobby: selects not exactly one workload",
    budget_meets_nothing: "PodDisruptionBudget/chat: selects not exactly one workload",
    port_without_name: "Service/chat: Deployment/chat has no port rpc",
    probe_of_no_port: "livenessProbe asks port health",
    scraped_elsewhere: "scraped at 9090",
    scaled_twice: "is scaled by ScaledObject/table-engine already",
    target_of_no_service: "names no Service with that port",
    call_not_let_in: "allows the ingress from Deployment/gateway to port grpc of Deployment/chat",
    call_not_let_out: "allows the egress from Deployment/clock to port grpc of Deployment/table-engine",
    policy_gone: "Deployment/bots: no NetworkPolicy selects its pods",
    unknown_field: "replica",
    wrong_type: "'2' is not of type",
    unknown_kind: "knows no Thing of example.org/v1",
    unknown_trigger_field: "ScaledObject/table-engine: $.spec.triggers[0]",
    monitor_misses: "ServiceMonitor/tavolo: does not find Deployment/chat",
    secret_among_the_manifests: "Secrets are given to the cluster apart",
}


@pytest.mark.parametrize("damage", BREAKS, ids=lambda damage: damage.__name__)
def test_a_broken_manifest_is_found(damage: Callable[[Build], None], production: Build) -> None:
    broken = Build("broken", copy.deepcopy(production.resources))
    damage(broken)
    assert BREAKS[damage] in found(broken)


@pytest.fixture
def folder(tmp_path: Path) -> Callable[[str], Path]:
    def write(kustomization: str) -> Path:
        (tmp_path / "account.yaml").write_text("apiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: x\n")
        (tmp_path / "kustomization.yaml").write_text(kustomization)
        return tmp_path

    return write


def test_a_warning_of_kustomize_is_an_error(folder: Callable[[str], Path]) -> None:
    old = "commonLabels: {a: b}\nresources: [account.yaml]\n"
    with pytest.raises(BuildError, match="commonLabels"):
        build(folder(old))


def test_a_folder_that_does_not_build_is_an_error(folder: Callable[[str], Path]) -> None:
    with pytest.raises(BuildError, match=r"gone\.yaml"):
        build(folder("resources: [gone.yaml]\n"))
