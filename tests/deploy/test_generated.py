"""What deploy/ has in two places is the same in both: generated files, Secrets, runbooks, metrics."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from deploy.checks.build import DEPLOY, Build, Resource, build, folders, pod_spec
from deploy.generate import FILES
from deploy.make_secrets import LOCAL_DATABASE, secrets
from deploy.metrics import declared
from services.cli.keys import Keys

MONITORING = DEPLOY / "monitoring"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_generated_file_is_what_the_code_makes_now(path: Path) -> None:
    assert path.read_text() == FILES[path](), "run `python -m deploy.generate`"


def references(built: Build) -> Iterator[tuple[str, str | None]]:
    """(Secret, key) of everything that the pods take from Secrets; key None = all of it."""
    for workload in built.workloads():
        spec = pod_spec(workload)
        for container in spec["containers"]:
            for each in container.get("env", []):
                source = each.get("valueFrom", {}).get("secretKeyRef")
                if source:
                    yield source["name"], source["key"]
            for each in container.get("envFrom", []):
                if "secretRef" in each:
                    yield each["secretRef"]["name"], None
        for volume in spec["volumes"]:
            if "secret" in volume:
                yield volume["secret"]["secretName"], None
            for source in volume.get("projected", {}).get("sources", []):
                for item in source["secret"]["items"]:
                    yield source["secret"]["name"], item["key"]


def test_every_secret_that_a_pod_needs_is_made(tmp_path: Path) -> None:
    made = secrets(Keys(tmp_path), LOCAL_DATABASE)
    wanted = {
        each for folder in folders() for each in references(build(folder)) if not each[0].endswith("-tls")
    }
    missing = {(name, key) for name, key in wanted if name not in made or (key and key not in made[name])}
    assert wanted
    assert missing == set()
    assert {name for name, _ in wanted} == set(made), "a Secret is made that nobody needs"


def test_every_password_that_the_nats_configuration_names_is_made(tmp_path: Path) -> None:
    made = secrets(Keys(tmp_path), LOCAL_DATABASE)
    folder = DEPLOY / "components" / "nats"
    named = {
        name
        for path in folder.glob("*.conf")
        for name in re.findall(r"\$(NATS_PASSWORD_\w+)", path.read_text())
    }
    assert named == set(made["nats-secrets"])


def test_each_role_has_one_password_for_both_sides(tmp_path: Path) -> None:
    made = secrets(Keys(tmp_path), LOCAL_DATABASE)
    for schema in ("lobby", "chat", "scoring"):
        password = made["postgres-secrets"][f"{schema.upper()}_PASSWORD"]
        assert f"tavolo_{schema}:{password}@" in made[f"{schema}-secrets"]["database-url"]


def alerts() -> list[Resource]:
    groups = yaml.safe_load((MONITORING / "alerts.yaml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def test_every_alert_has_a_runbook_and_every_runbook_is_reached() -> None:
    pages = {path.stem for path in (DEPLOY / "runbooks").glob("*.md")}
    assert {rule["alert"] for rule in alerts()} == pages - {"README", "NatsMembers"}


def test_every_alert_is_tested_both_ways() -> None:
    calm, storm = yaml.safe_load((MONITORING / "alerts_test.yaml").read_text())["tests"]
    names = {rule["alert"] for rule in alerts()}
    assert {each["alertname"] for each in calm["alert_rule_test"] if not each.get("exp_alerts")} == names
    assert {each["alertname"] for each in storm["alert_rule_test"] if each["exp_alerts"]} == names


def test_the_alerts_fire_when_they_must_and_are_silent_when_all_is_well() -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not installed (`make system`)")
    for arguments in (["check", "rules", "alerts.yaml"], ["test", "rules", "alerts_test.yaml"]):
        done = subprocess.run(
            [promtool, *arguments], cwd=MONITORING, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


def exported_names() -> set[str]:
    """Every series name of a metric that some part declares."""
    names: set[str] = set()
    for each in (metric for metrics in declared().values() for metric in metrics):
        endings = ("_bucket", "_count", "_sum") if each.kind == "histogram" else ("",)
        names |= {f"{each.name}{ending}" for ending in endings}
    return names


@pytest.mark.parametrize("path", ["alerts.yaml", "alerts_test.yaml", "dashboards/players.json"])
def test_only_metrics_that_exist_are_asked_for(path: str) -> None:
    asked = set(re.findall(r"\btavolo_[a-z_]+", (MONITORING / path).read_text()))
    assert asked
    assert asked - exported_names() == set()


def test_the_scaler_asks_for_a_metric_that_exists() -> None:
    scaler = yaml.safe_load((DEPLOY / "components" / "keda" / "scaledobject.yaml").read_text())
    query = scaler["spec"]["triggers"][0]["metadata"]["query"]
    asked = set(re.findall(r"\btavolo_[a-z_]+", query)) - {"tavolo"}
    assert asked
    assert asked <= exported_names()


def test_the_index_of_design_records_names_each_once() -> None:
    folder = DEPLOY / "decisions"
    listed = re.findall(r"\]\((\d{4}-[a-z-]+\.md)\)", (folder / "README.md").read_text())
    assert listed == sorted(path.name for path in folder.glob("0*.md"))
