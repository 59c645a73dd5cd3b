"""What every pod must have: probes, resources, a security context, a pinned image, a command of ours."""

from collections.abc import Iterator

from deploy.checks.build import PARTS, Build, Container, name_of, pod_spec, ports_of

# Throttling shows up there as late clocks and late moves.
NO_CPU_LIMIT = {"clock", "gateway", "table-engine"}


def problems(build: Build) -> Iterator[str]:
    """What is wrong with the pods of a build."""
    for workload in build.workloads():
        spec = pod_spec(workload)
        context = spec.get("securityContext", {})
        if context.get("runAsNonRoot") is not True or not context.get("runAsUser"):
            yield f"{name_of(workload)}: its pods may run as root"
        if context.get("seccompProfile", {}).get("type") != "RuntimeDefault":
            yield f"{name_of(workload)}: seccompProfile is not RuntimeDefault"
        if spec.get("automountServiceAccountToken") is not False:
            yield f"{name_of(workload)}: the service account's token is mounted"
        account = spec.get("serviceAccountName", "default")
        if build.one("ServiceAccount", account) is None:
            yield f"{name_of(workload)}: there is no ServiceAccount {account}"
        if not spec.get("topologySpreadConstraints") and workload["spec"].get("replicas", 1) > 1:
            yield f"{name_of(workload)}: its replicas are not spread"
    for container in build.containers():
        yield from _container(container)
    yield from _images(build)
    yield from _parts(build)


def _container(container: Container) -> Iterator[str]:
    spec = container.spec
    if not container.init:
        for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
            if probe not in spec:
                yield f"{container.where}: no {probe}"
    resources = spec.get("resources", {})
    for what in ("cpu", "memory"):
        if what not in resources.get("requests", {}):
            yield f"{container.where}: requests no {what}"
    if "memory" not in resources.get("limits", {}):
        yield f"{container.where}: no memory limit"
    if container.part in NO_CPU_LIMIT and "cpu" in resources.get("limits", {}):
        yield f"{container.where}: a CPU limit throttles it"
    context = spec.get("securityContext", {})
    if context.get("allowPrivilegeEscalation") is not False:
        yield f"{container.where}: may escalate privileges"
    if context.get("readOnlyRootFilesystem") is not True:
        yield f"{container.where}: its root file system can be written"
    if context.get("capabilities", {}).get("drop") != ["ALL"]:
        yield f"{container.where}: keeps capabilities"
    volumes = {each["name"] for each in pod_spec(container.workload).get("volumes", [])}
    claims = {each["metadata"]["name"] for each in container.workload["spec"].get("volumeClaimTemplates", [])}
    for mount in spec.get("volumeMounts", []):
        if mount["name"] not in volumes | claims:
            yield f"{container.where}: mounts {mount['name']}, which is no volume"


def _images(build: Build) -> Iterator[str]:
    ours = {container.spec["image"] for container in build.containers() if container.is_ours}
    if len(ours) > 1:
        yield f"the services run different images: {', '.join(sorted(ours))}"
    for container in build.containers():
        reference = container.spec["image"].rsplit("/", 1)[-1]
        if "@" not in reference and (":" not in reference or reference.endswith(":latest")):
            yield f"{container.where}: image {container.spec['image']} is not pinned"


def _parts(build: Build) -> Iterator[str]:
    for container in build.containers():
        if not container.is_ours:
            continue
        if container.part not in PARTS:
            yield f"{container.where}: command {container.spec.get('command')} is not `tavolo <part>`"
            continue
        if container.part != container.workload["metadata"]["name"]:
            yield f"{container.where}: runs {container.part}"
        notes = container.workload["spec"]["template"]["metadata"].get("annotations", {})
        if notes.get("prometheus.io/port") != str(ports_of(container.workload).get("metrics")):
            yield f"{container.where}: scraped at {notes.get('prometheus.io/port')}, not at its port metrics"
    for part in PARTS:
        if not any(container.part == part for container in build.containers()):
            yield f"no workload runs {part}"
