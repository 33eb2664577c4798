"""Tests the search for secrets in logs, which every suite runs at its end."""

import leaks
import secrecy
from catalogs import fresh_key


class Session:
    exitstatus = 0


def test_a_secret_in_the_output_of_a_server_fails_the_test_run(monkeypatch, capsys):
    monkeypatch.setattr(secrecy, "_heard", [])
    session, key = Session(), fresh_key()

    leaks.pytest_sessionfinish(session)
    assert session.exitstatus == 0

    secrecy.heard(f"fine\nkey={key.lower().replace('-', '')}\n")
    leaks.pytest_sessionfinish(session)
    assert session.exitstatus == 1
    assert "1 logged lines contain a secret" in capsys.readouterr().out


def test_secrets_and_the_output_of_servers_and_commands_are_recorded_for_the_search_for_leaks(vendor):
    vendor.installation.run("no-such-command")
    vendor.server.client.get("/health")
    secrets, lines = secrecy.count()

    assert secrets > 0 and lines > 0
