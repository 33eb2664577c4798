"""Nothing that was logged while the other tests ran tells a secret."""

import secrecy
from catalogs import fresh_key


def test_a_leak_would_be_noticed(monkeypatch):
    monkeypatch.setattr(secrecy, "_heard", [])
    key = fresh_key()
    assert secrecy.leaks() == []
    secrecy.heard(f"fine\nkey={key.lower().replace('-', '')}\n")
    assert len(secrecy.leaks()) == 1


def test_no_secret_was_logged(shared_server):
    secrecy.heard(shared_server.said)
    secrets, lines = secrecy.count()

    assert secrets > 0 and lines > 0
    assert secrecy.leaks() == []
