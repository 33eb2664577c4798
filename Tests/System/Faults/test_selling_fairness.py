"""Tests that one vendor's payments don't delay those of another vendor."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import catalogs
import pytest
from stripe_shop import StripeShop
from waiting import eventually

SALES = 40


class HeldAPI:
    """A provider's API that responds to no request until `released` is set, and to all of them with 503 afterwards."""

    def __enter__(self) -> "HeldAPI":
        self.released, self.count, lock = threading.Event(), 0, threading.Lock()
        api = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                with lock:
                    api.count += 1
                api.released.wait(120)
                self.send_response(503)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *words):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.host = f"127.0.0.1:{self._server.server_port}"
        return self

    def __exit__(self, *error) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def flooded(installation) -> StripeShop:
    return StripeShop(installation, catalogs.fresh("flooded"))


@pytest.fixture
def quiet(installation) -> StripeShop:
    return StripeShop(installation, catalogs.fresh("quiet"))


def apply(shop: StripeShop, **members) -> None:
    catalog = catalogs.catalog(shop.tenant)
    catalog["tenants"][0] |= {"mail": {"from": "keys@acme.example"}, "intake": [shop.member(**members)]}
    shop.installation.apply(catalog)


def test_sales_that_wait_for_one_vendors_provider_delay_no_other_vendors_sale(flooded, quiet):
    (flooded.installation.home / "api.key").write_text("rk_test")
    with HeldAPI() as api:
        apply(flooded, apiKeyFile="api.key", apiURL=f"http://{api.host}")
        apply(quiet)
        with flooded.installation.serving("--egress-allow", api.host) as running:
            flooded.tell(running, *(
                flooded.session(str(number), "many@shop.example", line_items=None) for number in range(SALES)))
            eventually(lambda: api.count, lambda count: count > 0)
            quiet.tell(running, quiet.session("1", "one@shop.example"))
            eventually(lambda: len(quiet.licenses()), lambda count: count == 1)
            assert flooded.licenses() == [] and api.count < SALES
            api.released.set()
