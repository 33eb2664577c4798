"""Checks that alert rules and the dashboard in packaging/monitoring use metrics that the server exposes."""

import re
from pathlib import Path

# On PostgreSQL, the server has the metrics of its connections as well.
ENGINES = ["postgres"]
FILES = Path(__file__).resolve().parents[3] / "packaging/monitoring"
METRIC = re.compile(r"\b(?:tenure|process)_[a-z_]+\b")


def families(exposition: str) -> set[str]:
    """The names of the samples that the exposition declares."""
    found = set()
    for name, kind in re.findall(r"^# TYPE (\S+) (\S+)$", exposition, re.MULTILINE):
        found |= {name + suffix for suffix in ("_bucket", "_sum", "_count")} if kind == "histogram" else {name}
    return found


def expressions(text: str) -> list[str]:
    return re.findall(r"^\s*\"?(?:expr|query)\"?: (.*)$", text, re.MULTILINE)


def test_the_alert_rules_and_the_dashboard_use_only_metrics_that_the_server_exposes(shared_server):
    exposed = families(shared_server.client.get("/metrics").body.decode())
    for name in ("tenure.rules.yml", "grafana-dashboard.json"):
        used = set(METRIC.findall("\n".join(expressions((FILES / name).read_text()))))
        assert len(used) >= 8 and used - exposed == set(), name


def test_the_page_on_operations_names_every_metric(shared_server):
    page = (FILES.parents[1] / "Documentation/operations.md").read_text()
    exposed = set(re.findall(r"^# TYPE (\S+)", shared_server.client.get("/metrics").body.decode(), re.MULTILINE))
    assert {name for name in exposed if f"`{name}`" not in page} == set()
