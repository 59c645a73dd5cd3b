"""Each resource against the schema of its kind: Kubernetes' own, strictly; for listed custom kinds, ours."""

import json
from collections.abc import Iterator
from functools import cache

import jsonschema  # type: ignore[import-untyped]
import kubernetes_validate

from deploy.checks.build import DEPLOY, Resource, name_of

# The oldest Kubernetes that the manifests promise to work on, and the newest that is known here.
KUBERNETES_VERSIONS = ("1.34", "1.37")

# Kinds that Kubernetes itself does not know: the file in deploy/schemas with the fields that we use.
CUSTOM_KINDS = {
    ("keda.sh/v1alpha1", "ScaledObject"): "scaledobject.json",
    ("monitoring.coreos.com/v1", "ServiceMonitor"): "servicemonitor.json",
}


def problems(resource: Resource) -> Iterator[str]:
    """What is wrong with a resource by itself."""
    for text in _problems(json.dumps(resource, sort_keys=True)):
        yield f"{name_of(resource)}: {text}"


@cache
def _problems(text: str) -> tuple[str, ...]:
    resource = json.loads(text)
    custom = CUSTOM_KINDS.get((resource["apiVersion"], resource["kind"]))
    if custom is not None:
        schema = json.loads((DEPLOY / "schemas" / custom).read_text())
        errors = jsonschema.Draft202012Validator(schema).iter_errors(resource)
        return tuple(f"{error.json_path}: {error.message}" for error in errors)
    found = []
    for version in KUBERNETES_VERSIONS:
        try:
            kubernetes_validate.validate(resource, version, strict=True)
        except kubernetes_validate.ValidationError as error:
            found.append(f"Kubernetes {version}: {'.'.join(map(str, error.path))}: {error.message}")
        except kubernetes_validate.SchemaNotFoundError:
            found.append(f"Kubernetes {version} knows no {resource['kind']} of {resource['apiVersion']}")
    return tuple(found)
