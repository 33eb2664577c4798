"""The base classes of the simulated shops at Stripe and Paddle, which send messages, and of these providers' APIs."""

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DAY = 86_400
# How long a server may act on a message before another one takes it over, in seconds.
JOB_TIMEOUT = 300


class PaymentShop:
    """A source of payments, which signs its messages; its clock is the installation's."""

    @property
    def now(self) -> int:
        return int(time.time()) + self.installation.offset

    @property
    def path(self) -> str:
        return f"/v1/{self.tenant}/intake/{self.source}"

    def post(self, running, body: bytes, **signing):
        return running.client.ask("POST", self.path, body, self.signed(body, **signing))

    def tell(self, running, *bodies: bytes) -> None:
        """Sends messages, each of which must be accepted."""
        for body in bodies:
            response = self.post(running, body)
            assert response.status == 200 and response.json == {"received": True}, response

    # Results -------------------------------------------------------------------------------------------------------

    def messages(self, state: str | None = None) -> list[dict]:
        options = ["--state", state] if state else []
        return self.installation.do("intake", "list", "--tenant", self.tenant, "--json", *options).json["messages"]

    def orders(self) -> list[dict]:
        orders = self.installation.do("order", "list", "--tenant", self.tenant, "--json").json["orders"]
        return [self.installation.do("order", "show", each["id"], "--tenant", self.tenant, "--json").json for each in orders]

    def licenses(self) -> list[dict]:
        ids = [id for order in self.orders() for line in order["lines"] for id in line["licenses"]]
        return [self.installation.show(id) for id in ids]


class PaymentAPI:
    """A provider's API, whose `answer` gives the status and the body of the response for a path."""

    credentials: set[str]

    def __enter__(self) -> "PaymentAPI":
        api = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                api.credentials.add(self.headers["Authorization"])
                status, body = api.answer(self.path)
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *words):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.host = f"127.0.0.1:{self._server.server_port}"
        self.url = f"http://{self.host}"
        return self

    def __exit__(self, *error) -> None:
        self._server.shutdown()
        self._server.server_close()
