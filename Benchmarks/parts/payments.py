"""Measures receiving a payment provider's messages, acting on them, and the memory for many waiting messages."""

import contextlib
import hashlib
import hmac
import http.client
import http.server
import json
import shutil
import sqlite3
import threading
import time

from .load import run
from .process import cpu_between
from .refresh import ACTIVATE
from .seeds import HERE
from .selling import FROM

SECRET = "whsec_of_the_benchmark"
# Activations of one license; a server records 600 a minute.
EACH = 300


class HeldAPI(http.server.ThreadingHTTPServer):
    """An API that doesn't answer until it's shut down, so that messages wait for it."""

    daemon_threads = True

    def __init__(self):
        released = self.released = threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                released.wait()

            def log_message(self, *words):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def host(self):
        return f"127.0.0.1:{self.server_address[1]}"


def measure_payments(bench, folder, count, waiting):
    """Measures messages with a data folder of their own: `count` received ones, and `waiting` ones for the memory."""
    tenure = [str(bench.programs / "tenure")]
    data = ["--data", str(folder)]
    shutil.rmtree(folder, ignore_errors=True)
    keys = [f"NOTE-BENCH-{number:05d}-KEY" for number in range(-(-3 * count // EACH))]

    def apply(item, api):
        catalog = json.loads((HERE / "catalog.json").read_text())
        tenant = catalog["tenants"][0]
        tenant["mail"] = {"from": FROM, "baseURL": "https://licenses.example"}
        tenant["products"][0]["policies"][0]["activationLimit"] = 10_000
        tenant["products"][0]["licenses"] = [{"key": key, "policy": "pro"} for key in keys]
        key = folder.with_suffix(".key")
        key.write_text("made-up-api-key\n")
        tenant["intake"] = [{
            "id": "shop", "provider": "stripe", "world": "live", "secret": SECRET, "apiKeyFile": str(key),
            "apiURL": f"http://{api.host}", "items": [{"item": item, "product": "notes", "policy": "pro"}]}]
        file = folder.with_suffix(".json")
        file.write_text(json.dumps(catalog))
        run([*tenure, "apply", str(file), *data])

    with HeldAPI() as api:
        # No rule names the item, so each sale waits for the API, and only the receipt of a message is measured.
        apply("another", api)
        server = bench.serve("payments", folder, "--egress-allow", api.host)
        client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        take(client, range(count))
        activate(client, keys, range(count))
        rounds = []
        for turn in (1, 2):
            before = server.threads()
            activate(client, keys, range(turn * count, (turn + 1) * count))
            between = server.threads()
            take(client, range(turn * count, (turn + 1) * count))
            rounds.append([cpu_between(*pair)[0] / count for pair in ((before, between), (between, server.threads()))])
        client.close()
        api.released.set()
        bench.stop_all()
        activation, taking = zip(*rounds)
        make_all_due(folder)
        apply("price_pro", api)
        server = bench.serve("acting", folder)
        before = server.threads()
        wait_until(folder, "state = 'waiting'", 0)
        acting = cpu_between(before, server.threads())[0] / (3 * count)
        time.sleep(1)
        idle = server.memory()[0]
        bench.stop_all()
    with HeldAPI() as api:
        apply("another", api)
        server = bench.serve("taking", folder, "--egress-allow", api.host)
        take_many(server, range(3 * count, 3 * count + waiting))
        bench.stop_all()
        # A new server, so that only the memory for waiting messages is measured, not the memory used for receiving them.
        server = bench.serve("waiting", folder, "--egress-allow", api.host)
        time.sleep(3)
        memory = server.memory()[0] - idle
        api.released.set()
        bench.stop_all()
    add = bench.report.add
    add("durable activation: CPU", list(activation), "us")
    add("message taken: CPU", list(taking), "us")
    add("message taken over a durable activation", [more / less for more, less in zip(taking, activation)], "x", 1.5)
    add("message carried out, with license and letter: CPU", acting, "us")
    add("message carried out over a durable activation", [acting / less for less in activation], "x", 3)
    add(f"{waiting:,} waiting messages: RssAnon over idle", memory, "MB", 16)


def take(client, numbers):
    """Sends a sale for each number."""
    for number in numbers:
        body = json.dumps({
            "id": f"evt_{number}", "object": "event", "api_version": "2026-06-24.dahlia", "created": int(time.time()),
            "livemode": True, "type": "checkout.session.completed", "data": {"object": {
                "id": f"cs_{number}", "object": "checkout.session", "mode": "payment", "payment_status": "paid",
                "payment_intent": f"pi_{number}", "amount_total": 4900, "currency": "eur",
                "metadata": {"tenure_item": "price_pro"},
                "customer_details": {"email": f"customer-{number}@shop.example", "name": "Ada Lovelace"}}}}).encode()
        seconds = str(int(time.time()))
        code = hmac.new(SECRET.encode(), f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()
        ask(client, "/v1/acme/intake/shop", body, {"Stripe-Signature": f"t={seconds},v1={code}"})


def take_many(server, numbers):
    """Sends a sale for each number over several connections."""
    def send(share):
        client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        take(client, share)
        client.close()

    threads = [threading.Thread(target=send, args=(numbers[share::8],)) for share in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def activate(client, keys, numbers):
    """Activates another device for each number."""
    for number in numbers:
        body = {"license_key": keys[number // EACH], "instance_name": f"Device {number}"}
        ask(client, ACTIVATE, json.dumps(body).encode())


def ask(client, path, body, headers={}):
    client.request("POST", path, body, {"Content-Type": "application/json"} | headers)
    answer = client.getresponse()
    text = answer.read()
    if answer.status != 200:
        raise SystemExit(f"bench: {path} was answered with {answer.status}: {text[:200]}")


@contextlib.contextmanager
def opened(folder):
    store = sqlite3.connect(folder / "tenure.sqlite")
    with contextlib.closing(store), store:
        yield store


def make_all_due(folder):
    """Makes the jobs of all messages due now, even if they have been tried before."""
    with opened(folder) as store:
        store.execute("UPDATE jobs SET due_at = (SELECT min(due_at) FROM jobs), attempt = 0, failures = 0, failure = NULL "
                      "WHERE kind = 'selling.message'")


def wait_until(folder, condition, count):
    """Waits until at most `count` messages fulfil a condition."""
    for _ in range(1_200):
        with opened(folder) as store:
            if store.execute(f"SELECT count(*) FROM payment_messages WHERE {condition}").fetchone()[0] <= count:
                return
        time.sleep(0.1)
    raise SystemExit("bench: the messages weren't carried out")

