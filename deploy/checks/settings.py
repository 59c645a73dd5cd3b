"""The environment of each container: every TAVOLO_* is a setting of its part, with a value that the part
accepts, and what is referred to exists."""

import importlib
from collections.abc import Iterator
from pathlib import PurePosixPath

from deploy.checks.build import PARTS, Build, Container, Resource, name_of, pod_spec
from services.cli.nats_config import RIGHTS
from services.runtime.settings import CommonSettings, SettingsError, load, settings_of

# Stands for what only the cluster knows: a Secret's value, a pod's address.
_SAMPLE = "10.0.0.1"


def environment(build: Build, container: Container) -> dict[str, str]:
    """What the container's process gets; values of Secrets and of the pod's own fields are samples."""
    values: dict[str, str] = {}
    for source in container.spec.get("envFrom", []):
        if "configMapRef" in source:
            found = build.one("ConfigMap", source["configMapRef"]["name"])
            values |= {} if found is None else found.get("data", {})
    for each in container.spec.get("env", []):
        values[each["name"]] = str(each.get("value", _SAMPLE))
    return values


def problems(build: Build) -> Iterator[str]:
    """What is wrong with the settings of a build."""
    for container in build.containers():
        yield from _references(build, container)
        if container.part in PARTS:
            yield from _values(build, container)


def _values(build: Build, container: Container) -> Iterator[str]:
    declared = importlib.import_module(f"services.{container.part.replace('-', '_')}.settings").Settings
    known = {each.name: each for each in settings_of(declared)}
    values = environment(build, container)
    for name in values:
        if name.startswith("TAVOLO_") and name not in known:
            yield f"{container.where}: {name} is no setting of {container.part}"
    user = values.get("TAVOLO_NATS_USER")
    if user is not None and user not in RIGHTS:
        yield f"{container.where}: NATS knows no user {user}"
    shared = {each.name for each in settings_of(CommonSettings)}
    for each in known.values():
        if each.name not in shared and "127.0.0.1" in str(each.default) and each.name not in values:
            yield f"{container.where}: {each.name} is not set, and its default is good for one machine only"
    for entry in container.spec.get("env", []):
        secret = "secretKeyRef" in entry.get("valueFrom", {})
        if entry["name"] in known and known[entry["name"]].secret != secret:
            yield f"{container.where}: {entry['name']} must {'not ' if secret else ''}come from a Secret"
    try:
        settings = load(declared, values)
    except SettingsError as error:
        yield f"{container.where}: {error}"
        return
    mounts = [PurePosixPath(each["mountPath"]) for each in container.spec.get("volumeMounts", [])]
    for name, value in values.items():
        path = PurePosixPath(value)
        if name.endswith(("_FILE", "_DIR")) and not any(path.is_relative_to(mount) for mount in mounts):
            yield f"{container.where}: {name}={value} is on no mounted volume"
    spec = pod_spec(container.workload)
    pause = container.spec.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)
    if pause + settings.stop_deadline_s > spec.get("terminationGracePeriodSeconds", 30):
        yield f"{container.where}: it may take longer to stop than terminationGracePeriodSeconds"


def _references(build: Build, container: Container) -> Iterator[str]:
    for kind, name in _named(container):
        if kind == "ConfigMap" and build.one(kind, name) is None:
            yield f"{container.where}: there is no ConfigMap {name}"
    for secret in build.of("Secret"):
        yield f"{name_of(secret)}: Secrets are given to the cluster apart, never with the manifests"


def _named(container: Container) -> Iterator[tuple[str, str]]:
    """(kind, name) of every ConfigMap and Secret that the container or its pod refers to."""
    for source in container.spec.get("envFrom", []):
        yield from _reference(source)
    for each in container.spec.get("env", []):
        yield from _reference(each.get("valueFrom", {}))
    for volume in pod_spec(container.workload).get("volumes", []):
        yield from _reference(volume)
        for source in volume.get("projected", {}).get("sources", []):
            yield from _reference(source)


def _reference(source: Resource) -> Iterator[tuple[str, str]]:
    for key in ("configMapRef", "configMapKeyRef", "configMap"):
        if key in source:
            yield "ConfigMap", source[key]["name"]
    for key in ("secretRef", "secretKeyRef", "secret"):
        if key in source:
            yield "Secret", source[key].get("name") or source[key]["secretName"]
