"""Names that must meet: selectors and labels, ports, who scales what, who may talk to whom."""

import re
from collections.abc import Iterator

from deploy.checks.build import Build, Resource, matches, name_of, pod_labels, pod_spec, ports_of
from deploy.checks.settings import environment

# Who finds whom by a lease instead of by a setting (the worker's own address is in the lease).
BY_LEASE = (
    ("clock", "table-engine"),
    ("gateway", "table-engine"),
    ("lobby", "table-engine"),
    ("table-engine", "table-engine"),
)
GRPC_PORT = "grpc"

# A target: a Service's name, or with a dot a host elsewhere.
_TARGET = re.compile(r"(?:dns:///|nats://|tls://|http://)?([a-z][a-z0-9.-]*):(\d+)")


def problems(build: Build) -> Iterator[str]:
    """What does not meet in a build."""
    yield from _selectors(build)
    yield from _ports(build)
    yield from _scaling(build)
    yield from _monitors(build)
    yield from _ingresses(build)
    yield from _talk(build)


def _selectors(build: Build) -> Iterator[str]:
    for workload in build.workloads():
        if not matches(workload["spec"].get("selector", {}), pod_labels(workload)):
            yield f"{name_of(workload)}: its selector does not match its own pods"
        if not build.policies(pod_labels(workload), "Ingress"):
            yield f"{name_of(workload)}: no NetworkPolicy selects its pods"
    for service in build.of("Service"):
        if len(build.selected({"matchLabels": service["spec"]["selector"]})) != 1:
            yield f"{name_of(service)}: selects not exactly one workload"
    for budget in build.of("PodDisruptionBudget"):
        if len(build.selected(budget["spec"]["selector"])) != 1:
            yield f"{name_of(budget)}: selects not exactly one workload"
    for policy in build.of("NetworkPolicy"):
        if not build.selected(policy["spec"]["podSelector"]):
            yield f"{name_of(policy)}: selects nothing"
    for workload in build.workloads():
        for spread in pod_spec(workload).get("topologySpreadConstraints", []):
            if not matches(spread["labelSelector"], pod_labels(workload)):
                yield f"{name_of(workload)}: its topology spread does not count its own pods"


def _ports(build: Build) -> Iterator[str]:
    for service in build.of("Service"):
        for workload in build.selected({"matchLabels": service["spec"]["selector"]}):
            for port in service["spec"]["ports"]:
                if port.get("targetPort") not in ports_of(workload):
                    yield f"{name_of(service)}: {name_of(workload)} has no port {port.get('targetPort')}"
    for container in build.containers():
        names = {each["name"] for each in container.spec.get("ports", [])}
        for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
            for kind in ("httpGet", "tcpSocket"):
                port = container.spec.get(probe, {}).get(kind, {}).get("port")
                if port is not None and port not in names:
                    yield f"{container.where}: {probe} asks port {port}, which it does not have"
    for policy in build.of("NetworkPolicy"):
        for workload in build.selected(policy["spec"]["podSelector"]):
            for rule in policy["spec"].get("ingress", []):
                for port in rule.get("ports", []):
                    if port["port"] not in ports_of(workload):
                        yield f"{name_of(policy)}: {name_of(workload)} has no port {port['port']}"


def _scaling(build: Build) -> Iterator[str]:
    scaled: dict[str, str] = {}
    for scaler in build.of("HorizontalPodAutoscaler", "ScaledObject"):
        reference = scaler["spec"]["scaleTargetRef"]
        target = f"{reference.get('kind', 'Deployment')}/{reference['name']}"
        if build.one(*target.split("/")) is None:
            yield f"{name_of(scaler)}: scales {target}, which is not there"
        if target in scaled:
            yield f"{name_of(scaler)}: {target} is scaled by {scaled[target]} already"
        scaled[target] = name_of(scaler)


def _monitors(build: Build) -> Iterator[str]:
    for monitor in build.of("ServiceMonitor"):
        for endpoint in monitor["spec"]["endpoints"]:
            found = {
                each["spec"]["selector"]["app.kubernetes.io/name"]
                for each in build.of("Service")
                if matches(monitor["spec"]["selector"], each["metadata"].get("labels", {}))
                and any(port["name"] == endpoint["port"] for port in each["spec"]["ports"])
            }
            for workload in build.workloads():
                name = pod_labels(workload)["app.kubernetes.io/name"]
                if "metrics" in ports_of(workload) and name not in found:
                    yield f"{name_of(monitor)}: does not find {name_of(workload)}"


def _ingresses(build: Build) -> Iterator[str]:
    for ingress in build.of("Ingress"):
        for rule in ingress["spec"]["rules"]:
            for path in rule["http"]["paths"]:
                wanted = path["backend"]["service"]
                service = build.one("Service", wanted["name"])
                names = [] if service is None else [port["name"] for port in service["spec"]["ports"]]
                if wanted["port"]["name"] not in names:
                    where = f"{wanted['name']} with port {wanted['port']['name']}"
                    yield f"{name_of(ingress)}: there is no Service {where}"


def _talk(build: Build) -> Iterator[str]:
    """Every target that a setting names is a Service with that port, and policies let the call through."""
    for container in build.containers():
        caller = container.workload
        for key, value in environment(build, container).items():
            for target in value.split(",") if key.startswith("TAVOLO_") else []:
                named = _TARGET.fullmatch(target)
                if named is None:
                    continue
                if "." in named[1]:
                    yield from _allowed_out(build, caller, f"{key}={target}", int(named[2]))
                    continue
                service = build.one("Service", named[1])
                port = None if service is None else _port(service, int(named[2]))
                if service is None or port is None:
                    yield f"{container.where}: {key}={value} names no Service with that port"
                    continue
                for callee in build.selected({"matchLabels": service["spec"]["selector"]}):
                    if port in ports_of(callee):
                        yield from _allowed(build, caller, callee, port)
    for caller_name, callee_name in BY_LEASE:
        callers, callees = build.one("Deployment", caller_name), build.one("Deployment", callee_name)
        if callers is not None and callees is not None:
            yield from _allowed(build, callers, callees, GRPC_PORT)


def _port(service: Resource, number: int) -> str | None:
    ports = service["spec"]["ports"]
    return next((str(port["targetPort"]) for port in ports if port["port"] == number), None)


def _allowed(build: Build, caller: Resource, callee: Resource, port: str) -> Iterator[str]:
    what = f"{name_of(caller)} to port {port} of {name_of(callee)}"
    number = ports_of(callee)[port]
    for side, direction, peer in ((caller, "Egress", callee), (callee, "Ingress", caller)):
        policies = build.policies(pod_labels(side), direction)
        rules = [rule for policy in policies for rule in policy["spec"].get(direction.lower(), [])]
        if policies and not any(_rule_allows(rule, peer, port, number) for rule in rules):
            yield f"no network policy allows the {direction.lower()} from {what}"


def _allowed_out(build: Build, caller: Resource, what: str, number: int) -> Iterator[str]:
    policies = build.policies(pod_labels(caller), "Egress")
    rules = [rule for policy in policies for rule in policy["spec"].get("egress", [])]
    outside = [rule for rule in rules if "to" not in rule or any("ipBlock" in each for each in rule["to"])]
    ports = [{each["port"] for each in rule.get("ports", [{"port": number}])} for rule in outside]
    if policies and not any(number in each for each in ports):
        yield f"no network policy lets {name_of(caller)} out to {what}"


def _rule_allows(rule: Resource, peer: Resource, port: str, number: int) -> bool:
    peers = rule.get("to") or rule.get("from")
    if "ports" in rule and not any(each["port"] in (port, number) for each in rule["ports"]):
        return False
    own = [] if peers is None else [each for each in peers if "namespaceSelector" not in each]
    return peers is None or any(
        matches(each["podSelector"], pod_labels(peer)) for each in own if "podSelector" in each
    )
