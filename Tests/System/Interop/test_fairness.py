"""Tests that rate limits affect only the client that exceeds them, as identified by its address."""

import json
import sqlite3
import threading
import uuid
from contextlib import closing

import catalogs
import pytest
from client import App
from installation import Installation
from mart import Mart


def tries(server, key: str, source: str, count: int = 1) -> set[int]:
    """The statuses that a source receives when it tries a key."""
    app = App(server.client, "acme", "notes", {"X-Forwarded-For": source})
    return {app.activate(key, "Mac").status for _ in range(count)}


def test_wrong_license_keys_from_an_address_block_neither_its_active_devices_nor_keys_that_the_server_issued(home):
    """Refreshes of active devices and issued keys stay possible, because an attacker can't guess them."""
    installation, imported, source = Installation(home), catalogs.fresh_key(), "203.0.113.9"
    installation.apply(catalogs.catalog("acme", catalogs.product(licenses=[catalogs.license(imported)])))
    minted = installation.issue("acme", "notes", "pro")["licenseKey"]
    with installation.serving("--trusted-proxy", "127.0.0.1") as server:
        app = App(server.client, "acme", "notes", {"X-Forwarded-For": source})
        instance = app.activated(imported, "Mac")
        assert max(tries(server, "NOTE-NONE-0000-0000", source, 60)) == 429
        assert app.validate(imported, instance).status == 200
        assert tries(server, minted, source) == {200}
        assert tries(server, minted[:-1] + ("0" if minted[-1] != "0" else "1"), source) == {429}
        assert tries(server, catalogs.fresh_key(), source) == {429}


@pytest.mark.parametrize("mark", ["\u0600", "9.9.9.9\u0301", "\ufe0f", "\u200d", "a\u20e3"])
def test_a_combining_mark_in_x_forwarded_for_does_not_hide_the_clients_address(home, mark):
    installation, imported = Installation(home), catalogs.fresh_key()
    installation.apply(catalogs.catalog("acme", catalogs.product(licenses=[catalogs.license(imported)])))
    with installation.serving("--trusted-proxy", "127.0.0.1") as server:
        # nginx appends the client's address to the field that the client sent.
        forged = mark.encode().decode("latin-1") + ", 203.0.113.9"
        assert max(tries(server, "NOTE-NONE-0000-0000", forged, 60)) == 429
        assert tries(server, "NOTE-NONE-0000-0000", "203.0.113.9") == {429}
        assert tries(server, "NOTE-NONE-0000-0000", "203.0.113.10") == {404}


def test_requests_with_unreadable_forwarded_addresses_share_one_rate_limit(home):
    installation, imported = Installation(home), catalogs.fresh_key()
    installation.apply(catalogs.catalog("acme", catalogs.product(licenses=[catalogs.license(imported)])))
    with installation.serving("--trusted-proxy", "127.0.0.1") as server:
        for number in range(60):
            tries(server, "NOTE-NONE-0000-0000", f"hidden-{number}")
        assert tries(server, "NOTE-NONE-0000-0000", "unknown") == {429}
        assert tries(server, "NOTE-NONE-0000-0000", "203.0.113.9") == {404}


def test_validations_are_served_while_activations_fill_their_request_slots(home):
    """48 clients activate without a pause, although only four activations may run at once."""
    installation, key = Installation(home), catalogs.fresh_key()
    installation.apply(catalogs.catalog("acme", catalogs.product(licenses=[catalogs.license(key)])))
    with installation.serving("--requests-in-flight", "8") as server:
        app = App(server.client, "acme", "notes")
        instance = app.activated(key, "Mac", machine_hash="ab" * 32)
        stopped, statuses = threading.Event(), set()

        def activate() -> None:
            client = server.new_client()
            own = App(client, "acme", "notes")
            while not stopped.is_set():
                statuses.add(own.activate(key, "Mac", machine_hash="ab" * 32).status)
            client.close()

        clients = [threading.Thread(target=activate) for _ in range(48)]
        for client in clients:
            client.start()
        refreshes = [app.validate(key, instance).status for _ in range(400)]
        stopped.set()
        for client in clients:
            client.join()
        assert set(refreshes) == {200}
        assert statuses == {200, 503}, "the activations never filled their slots"


def test_an_address_that_sent_thirty_unknown_keys_gets_429_for_15_minutes(home):
    installation, imported, source = Installation(home).moves_time(), catalogs.fresh_key(), "203.0.113.9"
    installation.apply(catalogs.catalog("acme", catalogs.product(licenses=[catalogs.license(imported)])))
    with installation.serving("--trusted-proxy", "127.0.0.1") as server:
        assert tries(server, "NOTE-NONE-0000-0000", source, 29) == {404}
        assert tries(server, imported, source) == {200}, "29 unknown keys limit nobody"
        assert tries(server, "NOTE-NONE-0000-0000", source) == {404}
        refused = App(server.client, "acme", "notes", {"X-Forwarded-For": source}).activate(imported, "Mac")
        assert refused.status == 429 and 0 < int(refused.headers["retry-after"]) <= 900
        installation.set_clock(900)
        assert tries(server, imported, source) == {200}


def test_after_600_unknown_keys_for_a_product_only_addresses_that_sent_one_get_429(home):
    installation, imported = Installation(home), catalogs.fresh_key()
    installation.apply(catalogs.catalog("acme", catalogs.product(licenses=[catalogs.license(imported)])))
    with installation.serving("--trusted-proxy", "127.0.0.1") as server:
        for number in range(26):
            assert tries(server, "NOTE-NONE-0000-0000", f"203.0.113.{number}", 23) == {404}
        assert tries(server, "NOTE-NONE-0000-0000", "198.51.100.1") == {404}
        assert tries(server, imported, "198.51.100.1") == {200}, "599 unknown keys"
        assert tries(server, "NOTE-NONE-0000-0000", "198.51.100.2") == {404}
        assert tries(server, imported, "198.51.100.1") == {429}, "600 unknown keys, one of them from here"
        assert tries(server, imported, "198.51.100.3") == {200}, "none of them from here"


@pytest.mark.parametrize("options, most", [(["--trusted-proxy", "127.0.0.1"], 429), ([], 404)])
def test_a_forwarded_address_is_used_for_rate_limits_only_if_a_trusted_proxy_sent_it(home, options, most):
    installation, key = Installation(home), catalogs.fresh_key()
    installation.apply(catalogs.catalog("acme", catalogs.product(licenses=[catalogs.license(key)])))
    with installation.serving(*options) as server:
        assert max(tries(server, "NOTE-NONE-0000-0000", "203.0.113.9", 60)) == most
        assert tries(server, key, "203.0.113.9") == {most if most == 429 else 200}
        assert tries(server, key, "203.0.113.10") == {200}


def test_a_trusted_proxy_option_that_is_neither_an_address_nor_the_word_unix_is_refused(home):
    answer = Installation(home).run("serve", "--listen", "127.0.0.1:0", "--trusted-proxy", "nginx")
    assert answer.code == 2 and "unix" in answer.err


def test_refused_apps_beyond_the_first_sixty_share_one_event(home):
    installation = Installation(home)
    with installation.serving() as server:
        mart = Mart(installation, server)
        unknown = {10**8 + number: ("1", str(uuid.uuid4())) for number in range(150)}
        answer = mart.phone().ask(unknown)
        assert len(answer["unlicensedApps"]) == 150
        metrics = server.client.get("/metrics").body.decode()
        assert 'tenure_refusals_total{code="app_unknown"} 150' in metrics
    with closing(sqlite3.connect(f"file:{installation.database}?mode=ro", uri=True)) as store:
        rows = store.execute("SELECT detail FROM events WHERE kind = 'app_license.refused'").fetchall()
    told = [json.loads(detail) for detail, in rows]
    together = [one for one in told if "count" in json.dumps(one)]
    assert len(told) - len(together) == 60 and len(together) == 1
    assert "90" in json.dumps(together[0]) and "app_unknown" in json.dumps(together[0])
