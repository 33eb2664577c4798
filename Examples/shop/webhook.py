"""A shop's webhook: applies a payment provider's events to licenses in Tenure, each event once.

TENURE is the address of the tenant's API, such as https://licenses.example/v1/acme; TOKEN_FILE holds a token with the
scopes `licenses:read` and `licenses:write`. It listens on 127.0.0.1, at PORT or 8090. If a call fails, the provider gets
500 and sends the event again.
"""

import json
import os
import sys
import traceback
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

TENURE = os.environ["TENURE"]
HEADERS = {"Authorization": f"Bearer {Path(os.environ['TOKEN_FILE']).read_text().strip()}",
           "Content-Type": "application/json"}


def tenure(path: str, body: dict, key: str) -> dict:
    with urlopen(Request(TENURE + path, json.dumps(body).encode(), HEADERS | {"Idempotency-Key": key})) as response:
        return json.load(response)


def licenses(order: str) -> list[dict]:
    found, after = [], ""
    while after is not None:
        with urlopen(Request(f"{TENURE}/licenses?order={quote(order, safe='')}{after}", headers=HEADERS)) as response:
            page = json.load(response)
        found += [license for license in page["licenses"] if license["order"] == order]
        after = f"&after={page['next']}" if page["next"] else None
    return found


def carry_out(event: dict) -> None:
    kind, order, id = event.get("type"), event.get("order"), quote(event.get("id", ""), safe="")
    if kind == "sale":
        made = tenure("/licenses", event["terms"] | {"order": order}, key=id)
        keys = [license["licenseKey"] for license in made["licenses"] if "licenseKey" in license]
        print("mail", order, *keys, flush=True)  # No keys if they were mailed before.
        return
    acts = {"renewal": ("renew", {}), "upgrade": ("change", event.get("terms")), "refund": ("revoke", {})}
    if kind not in acts:
        return
    act, body = acts[kind]
    sold = licenses(order)
    if not sold:  # The event may have arrived before its sale.
        raise LookupError(f"no license has the order {order}")
    for license in sold:
        if license["state"] not in ("revoked", "returned"):
            tenure(f"/licenses/{license['id']}/{act}", body, key=f"{id} {license['id']}")


class Webhook(BaseHTTPRequestHandler):
    def do_POST(self):
        # Verify the provider's signature here, over the bytes of the body.
        try:
            carry_out(json.loads(self.rfile.read(int(self.headers["Content-Length"] or 0))))
            self.send_response(204)
        except Exception as error:
            traceback.print_exc()
            if isinstance(error, HTTPError):
                print(error.read().decode(errors="replace"), file=sys.stderr)  # Tenure's reason for the refusal.
            self.send_response(500)
        self.end_headers()


if __name__ == "__main__":
    server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8090"))), Webhook)
    print(f"ready on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
