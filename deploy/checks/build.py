"""A built kustomization: its resources, and how to find one's way among them."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

Resource = dict[str, Any]
DEPLOY = Path(__file__).resolve().parent.parent
PARTS = ("bots", "chat", "clock", "gateway", "lobby", "scoring", "table-engine")


class BuildError(Exception):
    """kustomize refused a folder, or warned about it; the text is what it said."""


@dataclass(frozen=True)
class Container:
    """A container of a workload; `init` when it runs before the others."""

    workload: Resource
    spec: Resource
    init: bool = False

    @property
    def where(self) -> str:
        """For messages: kind/name and the container."""
        return f"{name_of(self.workload)}, container {self.spec['name']}"

    @property
    def is_ours(self) -> bool:
        """It runs the image of Tavolo."""
        return repository(self.spec["image"]).rsplit("/", 1)[-1] == "tavolo"

    @property
    def part(self) -> str:
        """The part that it runs, as in `tavolo <part>`; empty when its command is another one."""
        command = self.spec.get("command", [])
        return str(command[1]) if len(command) == 2 and command[0] == "tavolo" else ""


@dataclass(frozen=True)
class Build:
    """The resources that one kustomization makes."""

    name: str
    resources: list[Resource]

    def of(self, *kinds: str) -> list[Resource]:
        """The resources of these kinds."""
        return [each for each in self.resources if each["kind"] in kinds]

    def one(self, kind: str, name: str) -> Resource | None:
        """The resource of this kind and name."""
        return next((each for each in self.of(kind) if each["metadata"]["name"] == name), None)

    def workloads(self) -> list[Resource]:
        """What makes pods."""
        return self.of("Deployment", "StatefulSet", "DaemonSet", "Job")

    def selected(self, selector: Resource) -> list[Resource]:
        """The workloads whose pods a label selector selects; an empty one selects all."""
        return [each for each in self.workloads() if matches(selector, pod_labels(each))]

    def containers(self) -> Iterator[Container]:
        """Every container of every workload."""
        for workload in self.workloads():
            spec = pod_spec(workload)
            for each in spec.get("initContainers", []):
                yield Container(workload, each, init=True)
            for each in spec["containers"]:
                yield Container(workload, each)

    def policies(self, pods: dict[str, str], direction: str) -> list[Resource]:
        """The network policies of a direction (Ingress, Egress) that select pods with these labels."""
        return [
            each
            for each in self.of("NetworkPolicy")
            if direction in each["spec"]["policyTypes"] and matches(each["spec"]["podSelector"], pods)
        ]


def folders() -> list[Path]:
    """Every kustomization that must build by itself: the overlays and the combinations."""
    groups = (DEPLOY / group for group in ("overlays", "combinations"))
    return sorted(path.parent for group in groups for path in group.glob("*/kustomization.yaml"))


def build(folder: Path) -> Build:
    """Builds a folder with kustomize. Raises BuildError when it fails or warns."""
    kubectl = Path(sys.executable).with_name("kubectl")
    command = [str(kubectl), "kustomize", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    if done.returncode or done.stderr.strip():
        raise BuildError(done.stderr.strip() or f"kubectl kustomize ended with status {done.returncode}")
    resources = [each for each in yaml.safe_load_all(done.stdout) if each]
    return Build(f"{folder.parent.name}/{folder.name}", resources)


def name_of(resource: Resource) -> str:
    """For messages: kind/name."""
    return f"{resource['kind']}/{resource['metadata']['name']}"


def pod_spec(workload: Resource) -> Resource:
    """The pod spec of a workload."""
    spec: Resource = workload["spec"]["template"]["spec"]
    return spec


def pod_labels(workload: Resource) -> dict[str, str]:
    """The labels of a workload's pods."""
    labels: dict[str, str] = workload["spec"]["template"]["metadata"].get("labels", {})
    return labels


def ports_of(workload: Resource) -> dict[str, int]:
    """The named ports of a workload's pods."""
    return {
        port["name"]: port["containerPort"]
        for container in pod_spec(workload)["containers"]
        for port in container.get("ports", [])
    }


def matches(selector: Resource, labels: dict[str, str]) -> bool:
    """Whether a label selector selects these labels. ValueError: operators other than In and Exists."""
    for key, value in selector.get("matchLabels", {}).items():
        if labels.get(key) != value:
            return False
    for each in selector.get("matchExpressions", []):
        if each["operator"] not in ("In", "Exists"):
            raise ValueError(f"operator {each['operator']} is not expected in our selectors")
        if each["key"] not in labels or labels[each["key"]] not in each.get("values", [labels[each["key"]]]):
            return False
    return True


def repository(image: str) -> str:
    """An image's name without tag and digest."""
    path, _, last = image.split("@", 1)[0].rpartition("/")
    return f"{path}/{last.split(':', 1)[0]}" if path else last.split(":", 1)[0]
