"""Checks the alert rules and the queries of the dashboard with Prometheus's own tool."""

import json
import os
import subprocess

import pytest
from release import PACKAGE

FILES = PACKAGE / "packaging/monitoring"


def promtool(*words) -> None:
    done = subprocess.run([os.environ["PROMTOOL"], *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_alert_rules_are_valid():
    promtool("check", "rules", FILES / "tenure.rules.yml")


def test_the_unit_tests_of_the_alert_rules_pass():
    promtool("test", "rules", PACKAGE / "Tests/System/Release/alerts.yml")


@pytest.mark.parametrize("panel", json.loads((FILES / "grafana-dashboard.json").read_text())["panels"], ids=lambda panel: panel["title"])
def test_the_queries_of_the_dashboard_are_valid(panel, tmp_path):
    for target in panel["targets"]:
        query = target["expr"].replace("$__rate_interval", "5m").replace("$instance", ".*")
        rules = tmp_path / "rules.yml"
        rules.write_text(json.dumps({"groups": [{"name": "panel", "rules": [{"record": "panel", "expr": query}]}]}))
        promtool("check", "rules", rules)
