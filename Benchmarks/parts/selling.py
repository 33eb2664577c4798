"""Measures issuing licenses whose keys are mailed, sending the letters, and the memory for many waiting letters."""

import contextlib
import http.client
import json
import resource
import shutil
import socketserver
import sqlite3
import subprocess
import threading
import time

from .load import run
from .process import cpu_between
from .seeds import HERE

FROM = "keys@acme.example"
# The number of letters to send before a server's memory and CPU time are sampled.
WARMING = 20
DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"


class Dialogue(socketserver.StreamRequestHandler):
    """Accepts each letter of one connection."""

    def handle(self):
        self.reply("220 mail.example")
        for line in self.rfile:
            verb = line[:4].upper()
            if verb == b"DATA":
                self.reply("354 go ahead")
                letter = b"".join(iter(self.rfile.readline, b".\r\n"))
                self.server.note(letter)
            if verb == b"QUIT":
                return self.reply("221 bye")
            self.reply("250 mail.example")

    def reply(self, text):
        self.wfile.write(f"{text}\r\n".encode())


class MailServer(socketserver.ThreadingTCPServer):
    """A mail server in a thread of the benchmark, so that its CPU time isn't measured."""

    daemon_threads = allow_reuse_address = True
    request_queue_size = 64

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Dialogue)
        self.changed, self.count, self.letter = threading.Condition(), 0, b""
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def note(self, letter):
        with self.changed:
            self.count, self.letter = self.count + 1, letter
            self.changed.notify_all()

    def wait_for(self, count):
        with self.changed:
            if not self.changed.wait_for(lambda: self.count >= count, timeout=120):
                raise SystemExit(f"bench: only {self.count} of {count} letters were sent")

    @property
    def url(self):
        return f"smtp://127.0.0.1:{self.server_address[1]}"


def measure_selling(bench, folder, rounds, orders, letters, waiting):
    """Measures in a folder with the benchmark's catalog: `orders` requests, `letters` sent and `waiting` letters."""
    tenure = [str(bench.programs / "tenure")]
    data = ["--data", str(folder)]
    shutil.rmtree(folder, ignore_errors=True)
    catalog = json.loads((HERE / "catalog.json").read_text())
    catalog["tenants"][0]["mail"] = {"from": FROM, "baseURL": "https://licenses.example"}
    file = folder.with_suffix(".json")
    file.write_text(json.dumps(catalog))
    run([*tenure, "apply", str(file), *data])
    token = json.loads(run([
        *tenure, "token", "create", "--tenant", "acme", "--scope", "licenses:write", "--json", *data]))["token"]
    measure_orders(bench, folder, token, rounds, orders)
    bench.stop_all()
    keep_letters(folder, letters + WARMING)
    idle = measure_letters(bench, folder, letters)
    bench.stop_all()
    copy_letters(folder, waiting)
    measure_memory(bench, folder, idle, waiting)
    bench.stop_all()


def measure_orders(bench, folder, token, rounds, orders):
    """Compares the CPU time of issuing a license with a letter with that of issuing one without."""
    server = bench.serve("selling", folder)
    client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def cost(is_mailed, count):
        before = server.threads()
        for number in range(count):
            client.request("POST", "/v1/acme/licenses", json.dumps({
                "product": "notes", "policy": "pro", "holderEmail": f"customer-{number}@shop.example",
                "mail": is_mailed}), headers)
            answer = client.getresponse()
            answer.read()
            if answer.status != 201:
                raise SystemExit(f"bench: an order was answered with {answer.status}")
        return cpu_between(before, server.threads())[0] / count

    for is_mailed in (False, True):
        cost(is_mailed, orders // 4)
    plain, mailed = zip(*[(cost(False, orders), cost(True, orders)) for _ in range(rounds)])
    client.close()
    add = bench.report.add
    add("order: CPU", list(plain), "us")
    add("order with a letter: CPU", list(mailed), "us")
    add("order with a letter over one without", [more / less for more, less in zip(mailed, plain)], "x", 1.2)


def measure_letters(bench, folder, letters):
    """Compares the CPU time of sending a letter with that of curl's exchange; returns the idle server's memory."""
    with MailServer() as mail:
        server = bench.serve("mailing", folder, "--smtp", mail.url)
        mail.wait_for(WARMING)
        before = server.threads()
        mail.wait_for(WARMING + letters)
        spent = cpu_between(before, server.threads())[0] / letters
        exchange = curl_exchange(mail, folder.with_suffix(".eml"), letters)
        add = bench.report.add
        add("letter: CPU", spent, "us")
        add("exchange of curl: CPU", exchange, "us")
        add("letter over an exchange of curl", spent / exchange, "x", 2)
        return server.memory()[0]


def curl_exchange(mail, file, count):
    """The CPU microseconds that curl uses to send a letter, without the CPU time of curl's start."""
    file.write_bytes(mail.letter)
    words = ["curl", "-s", "--mail-from", FROM, "--mail-rcpt", "customer@shop.example", "-T", str(file)]

    def spent(url):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        for _ in range(count):
            subprocess.run([*words, url], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1_000_000 / count

    # No server listens on port 1, so the second call measures only curl's start.
    return spent(mail.url) - spent("smtp://127.0.0.1:1")


def measure_memory(bench, folder, idle, waiting):
    """Compares the memory of a server with many waiting letters with that of an idle one."""
    with MailServer() as mail:
        server = bench.serve("waiting", folder, "--smtp", mail.url)
        mail.wait_for(WARMING)
        time.sleep(1)
        bench.report.add(f"{waiting:,} waiting letters: RssAnon over idle", server.memory()[0] - idle, "MB", 16)


@contextlib.contextmanager
def opened(folder):
    store = sqlite3.connect(folder / "tenure.sqlite")
    with contextlib.closing(store), store:
        yield store


def keep_letters(folder, count):
    """Removes all waiting letters except the first `count`."""
    with opened(folder) as store:
        store.execute("DELETE FROM mails WHERE id NOT IN (SELECT id FROM mails ORDER BY id LIMIT ?)", [count])
        kept = {text_of(number) for number, in store.execute("SELECT id FROM mails")}
        jobs = [id for id, in store.execute("SELECT id FROM jobs WHERE kind = 'mail.letter'")]
        gone = [[id] for id in jobs if id.removeprefix("job_") not in kept]
        store.executemany("DELETE FROM jobs WHERE id = ?", gone)


def copy_letters(folder, count):
    """Adds waiting copies of one letter, each with its own job."""
    with opened(folder) as store:
        store.row_factory = sqlite3.Row
        [letter] = store.execute("SELECT * FROM mails ORDER BY id LIMIT 1").fetchall()
        letter = dict(letter) | {"state": "waiting", "attempts": 0, "answer": None, "sent_at": None}
        marks = ", ".join("?" * len(letter))
        store.executemany(f"INSERT INTO mails ({', '.join(letter)}) VALUES ({marks})", (
            [*(letter | {"id": number, "message_id": f"mail_{text_of(number)}@acme.example"}).values()]
            for number in range(1, count + 1)))
        store.executemany(
            "INSERT INTO jobs (id, kind, tenant, due_at, attempt, state, payload, failures) "
            "VALUES (?, 'mail.letter', 'acme', ?, 0, 'waiting', ?, 0)", (
                [f"job_{text_of(number)}", letter["created_at"], json.dumps({"mail": f"mail_{text_of(number)}"})]
                for number in range(1, count + 1)))


def text_of(number):
    """The 13 digits of an id."""
    return "".join(DIGITS[number >> shift & 31] for shift in range(60, -1, -5))
