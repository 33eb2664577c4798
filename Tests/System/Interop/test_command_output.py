"""Checks that the output of commands with --json matches Documentation/cli.schema.json."""

import json
import os
import shutil
import sqlite3
import subprocess
import uuid
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import jsonschema
import pytest
import secrecy
from app_store import Notifier, from_now
from fake_app_store import FakeAppStore
from installation import Installation, temporary_home
from notes import Notes
from package import Package
from program import PACKAGE, program
from stripe_shop import StripeShop
from waiting import eventually

COPY = PACKAGE / "Documentation/cli.schema.json"
# `player crash` kills itself before it prints anything. `support` needs the reference of a page that a person opened.
NOT_TRIED = {"player crash", "support"}
ITEM, VERSION = "6483539426", "900000102"


def printed() -> str:
    done = subprocess.run([str(program()), "help", "json-schema"], capture_output=True, text=True, check=True)
    return done.stdout


def test_the_documented_schema_of_json_output_equals_the_schema_that_the_program_prints():
    if os.environ.get("TENURE_WRITE_COPIES"):
        COPY.write_text(printed())
    assert COPY.read_text() == printed(), "rewrite it with TENURE_WRITE_COPIES=1"
    jsonschema.Draft202012Validator.check_schema(json.loads(printed()))


@pytest.mark.parametrize("line", [{}, [], "issued", {"surprise": 1}, {"version": "0.1.0", "surprise": 1}])
def test_the_output_schema_rejects_lines_that_no_command_prints(line):
    assert not jsonschema.Draft202012Validator(json.loads(printed())).is_valid(line)


class Tried:
    """Runs commands with --json, and validates each line that they print."""

    def __init__(self, installation: Installation):
        self.installation = installation
        self.schema = json.loads(printed())
        self.commands: set[str] = set()

    def validate(self, name: str, line: str) -> None:
        where = {"$ref": f"#/$defs/{name.replace(' ', '%20')}"}
        jsonschema.Draft202012Validator(
            self.schema | where, format_checker=jsonschema.FormatChecker()).validate(json.loads(line))

    def run(self, text: str, code: int | None = 0, data: bool = True) -> list[dict]:
        """Runs a command line with --json, and validates its output; returns the printed lines as JSON objects."""
        words = text.split()
        name = next(n for n in (" ".join(words[:count]) for count in (3, 2, 1)) if n in self.schema["$defs"])
        words.append("--json")
        output = self.installation.run(*words) if data else self.installation.run_words([str(program()), *words])
        assert code is None or output.code == code, (text, output)
        lines = output.out.splitlines()
        for line in lines:
            is_refusal = output.code == 1 and len(lines) == 1 and set(json.loads(line)) == {"error", "code", "reasons"}
            self.validate("refusal" if is_refusal else name, line)
        if lines:
            self.commands.add(name)
        else:
            self.validate("error", output.err.splitlines()[-1])
        return [json.loads(line) for line in lines]

    def one(self, text: str, code: int | None = 0, data: bool = True) -> dict:
        [line] = self.run(text, code, data)
        return line


@pytest.fixture
def tried():
    with temporary_home() as home:
        shutil.copytree(PACKAGE / "Examples", home / "Examples")
        examples = home / "Examples"
        tenants = [json.loads((examples / name).read_text())["tenants"][0] for name in ("catalog.json", "mart.json", "school.json")]
        merged = tenants[0] | {"mail": {"from": "keys@acme.example"}, "marketplace": tenants[1]["marketplace"], "content": tenants[2]["content"]}
        merged["marketplace"]["notifications"] = {"secret": "a secret of the webhook"}
        merged["intake"] = [{
            "id": "test-shop", "provider": "stripe", "world": "test", "secret": "a secret of the endpoint",
            "apiKeyFile": "stripe.key", "apiURL": "http://127.0.0.1:9",
            "items": [{"item": "price_pro", "product": "notes", "policy": "pro"}]}]
        merged["intake"].append(merged["intake"][0] | {"id": "shop", "world": "live"})
        (examples / "stripe.key").write_text("a key for the provider's API")
        merged["content"]["kollus"] = {"securityKey": "a key for Kollus", "customKey": "custom"}
        (examples / "all.json").write_text(json.dumps({"tenants": [merged]}))
        yield Tried(Installation(home).moves_time())


def test_the_json_output_of_every_command_but_support_and_player_crash_matches_its_schema(tried):
    home, installation = tried.installation.home, tried.installation
    tried.run("init")
    tried.run("apply Examples/all.json --dry-run")
    tried.run("apply Examples/all.json")
    tried.run("version", data=False)
    tried.run("catalog new shop --product notes", data=False)
    contexts(tried)
    elsewhere(tried)
    licenses(tried)
    with installation.serving("--mail-folder", str(home / "letters")) as server:
        letters(tried)
        selling(tried, server)
        activations(tried, server)
        marketplace(tried, server)
        devices(tried, server)
        contents(tried, server)
    keys_and_jobs(tried)
    copies(tried, home)
    assert set(tried.schema["$defs"]) - {"error", "refusal"} - tried.commands == NOT_TRIED


def contexts(tried):
    tried.run("context add here --data data", data=False)
    assert tried.one("context list", data=False)["next"] is None
    tried.run("context use here", data=False)
    tried.run("context remove here", data=False)
    tried.run("context use nowhere", code=2, data=False)


def elsewhere(tried):
    """Runs `store recovered`, and `clock accept`, which a virtual clock doesn't allow, on a second store."""
    other = Installation(tried.installation.home, tried.installation.home / "other")
    other.do("init")
    mine, tried.installation = tried.installation, other
    tried.run("clock accept")
    record = json.dumps({"noticedAt": "2026-11-29T03:00:00Z", "tenants": []})
    with closing(sqlite3.connect(other.database)) as database, database:
        database.execute("INSERT INTO settings VALUES ('store.rewound', ?)", (record.encode(),))
    tried.run("store recovered --yes")
    tried.installation = mine


def licenses(tried):
    yearly = tried.one("license issue --tenant acme --product notes --policy yearly")
    secrecy.keep(yearly["licenseKey"])
    tried.run("license issue --tenant acme --product notes --policy nothing", code=1)
    tried.installation.do(
        *"license issue --tenant acme --product notes --policy pro --count 2 --out keys.csv".split())
    assert tried.one("license issue --check keys.csv")["notIssued"] == []
    page = tried.one("license list --limit 1")
    assert page["next"] == page["licenses"][0]["id"]
    whole = tried.one("license list")
    assert whole["next"] is None
    ids = [one["id"] for one in whole["licenses"]]
    assert len(ids) == 7 and yearly["id"] == ids[2], "the two of the file are newer"
    assert [one["issuedAt"] for one in whole["licenses"]] == sorted(
        (one["issuedAt"] for one in whole["licenses"]), reverse=True)
    seen = page["licenses"]
    while page["next"]:
        page = tried.one(f"license list --limit 2 --after {page['next']}")
        seen += page["licenses"]
    assert [one["id"] for one in seen] == ids
    assert [one["id"] for one in tried.one("license list --policy yearly --tenant acme")["licenses"]][0] == ids[2]
    id = yearly["id"]
    for act in ("show", "explain", "suspend", "reinstate", "link", "rekey"):
        tried.run(f"license {act} {id}")
    tried.run(f"license link {id} --list")
    tried.run(f"license link {id} --end")
    tried.run(f"license rekey {id} --keep-devices")
    tried.run(f"license transfer {id} --to eve@example.com")
    tried.run(f"license renew {id} --days 30")
    tried.run(f"license renew {id} --until 2020-01-01", code=1)
    tried.run(f"license change {id} --holder ada")
    tried.run("license return NOTE-EXPD-0000-0003")
    tried.run(f"license revoke {id}")
    tried.run("license show NOTE-NONE-0000-0000", code=1)
    tried.run("license show", code=2)


def selling(tried, server):
    address = server.address
    simulated = f"intake simulate test-shop sale --tenant acme --item price_pro --email bo@shop.example --url {address}"
    assert tried.one(simulated)["reference"]
    shop = StripeShop(tried.installation, "acme", "test-shop", "a secret of the endpoint")
    shop.tell(server, shop.session("1", "bo@shop.example"))
    [message] = eventually(
        lambda: tried.one("intake list --tenant acme --state ignored")["messages"], lambda messages: messages != [])
    tried.run(f"intake show {message['id']} --tenant acme --body")
    tried.run(f"intake retry {message['id']} --tenant acme")
    tried.run("intake catch-up test-shop --tenant acme --since 2020-01-01")
    shop.tell(server, b"unreadable")
    [message] = tried.one("intake list --tenant acme --state parked")["messages"]
    tried.run(f"intake dismiss {message['id']} --tenant acme")
    [order] = tried.one("order list --tenant acme")["orders"]
    tried.run(f"order show {order['id']} --tenant acme")
    license = tried.one("license issue --tenant acme --product notes --policy pro")
    secrecy.keep(license["licenseKey"])
    tried.run(f"order join sub_9 {license['id']} --source shop")
    tried.run(f"order join sub_8 {license['id']} --source shop", code=1)


def letters(tried):
    issued = tried.one(
        "license issue --tenant acme --product notes --policy pro --holder-email ada@shop.example --mail")
    secrecy.keep(issued["licenseKey"])
    [mail] = eventually(
        lambda: tried.one("mail list --tenant acme")["mails"], lambda mails: [mail["state"] for mail in mails] == ["sent"])
    tried.run("mail bounced ada@shop.example --tenant acme")
    tried.run(f"mail retry {mail['id']} --tenant acme")
    tried.run(f"license send-key {issued['id']}")
    tried.run("license send-key NOTE-PRO0-0000-0001", code=1)
    tried.run("mail test ada@shop.example --tenant acme --mail-folder letters")


def activations(tried, server):
    answer = server.client.post("/acme/notes/activate", {"license_key": "NOTE-PRO0-0000-0001", "instance_name": "Mac"})
    assert answer.status == 200, answer
    [activation] = tried.one("activation list NOTE-PRO0-0000-0001")["activations"]
    tried.run(f"activation release {activation['id']}")
    tried.run(f"activation restore {activation['id']}")
    tried.run("activation forgive NOTE-PRO0-0000-0001")
    tried.run(f"activation release {uuid.uuid4()}", code=1)
    Notes(tried.installation.home, "tenure").at(0).run(server.address, "trial")
    [trial] = tried.one("trial list")["trials"]
    tried.run(f"trial show {trial['device']}")
    tried.run(f"trial extend {trial['device']} --days 7")
    tried.run(f"trial reset {trial['device']} --yes")


def marketplace(tried, server):
    apple = FakeAppStore(tried.installation.home)
    try:
        for command in ("show", "rotate", "developer-token"):
            more = f"--developer {uuid.uuid4()}" if command == "developer-token" else ""
            tried.run(f"marketplace {command} --tenant acme {more}")
        tried.run(
            f"marketplace connect --tenant acme --issuer-id {apple.issuer} --key-id {apple.key_id} "
            f"--key-file {apple.key_file} --url {apple.url}")
        tried.run("marketplace packages --tenant acme")
        package = Package(tried.installation.home / "package", int(ITEM), int(VERSION), bundle="com.example.game")
        tried.run(f"marketplace ingest {package.folder} --tenant acme")
        tried.run(f"marketplace ingest {package.folder} --tenant acme")
        for command in ("hold", "release"):
            tried.run(f"marketplace {command} --tenant acme --item {ITEM} --version {VERSION}")
        tried.run("marketplace disconnect --tenant acme")
    finally:
        apple.end()
    tried.run(f"marketplace ingest --package-version {uuid.uuid4()} --tenant acme")
    # The server may end the reconciliation at any moment, because the marketplace has been disconnected.
    tried.one("job list --limit 1")
    job = next(job for job in tried.one("job list")["jobs"] if "reconcile" not in job["job"])
    tried.run(f"job retry {job['job']}")
    tried.run("job retry job_0000000000000", code=1)
    shop = SimpleNamespace(tenant="acme", own="6497405838", item=ITEM, server=server, installation=tried.installation)
    notice = Notifier(shop).tell(Notifier(shop).first("ALTERNATIVE_DISTRIBUTION_PACKAGE_TEST", from_now(0)))
    page = tried.one("marketplace notifications list --tenant acme --limit 1")
    assert page["next"] == notice["id"]
    assert tried.one(f"marketplace notifications list --tenant acme --after {notice['id']}")["notifications"] == []
    for command in ("replay", "forget"):
        tried.run(f"marketplace notifications {command} {notice['id']} --tenant acme")


def devices(tried, server):
    home = tried.installation.home
    (home / "password").write_text("correct horse\n")
    tried.run("account add bob --email bob@example.com --password-file password")
    tried.run(f"account grant bob --item {ITEM}")
    tried.run(f"account end bob --item {ITEM}")
    tried.run(f"account grant nobody --item {ITEM}", code=1)
    tried.run("account token ada --out ada.token")
    secrecy.keep(tried.one("account token ada")["token"])
    tried.run("account link ada")
    link = next(c for c in tried.one("account credentials ada")["credentials"] if "link" in c["kind"])
    tried.run(f"account end-credential {link['id']}")
    tried.run("account list --limit 1")
    phone = f"--server {server.address} --account ada --token-file ada.token --clock clock"
    tried.run(f"device new phone {phone}", data=False)
    tried.run("device install phone --package Examples/packages/game-1", data=False)
    tried.run(f"device install phone --item {ITEM}", code=1, data=False)
    for command in ("list", "update", "day --days 23"):
        tried.run(f"device {command} phone".replace("day --days 23 phone", "day phone --days 23"), None, data=False)
    for command in ("launch", "renew", "tap"):
        tried.run(f"device {command} phone --item {ITEM}", None, data=False)
    tried.run("license list --apps")
    [license] = tried.one("license list --account ada")["licenses"]
    for command in ("show", "explain", "suspend", "reinstate", "revoke"):
        tried.run(f"license {command} {license['id']}")
    tried.run("account show ada")
    tried.run(f"device renew phone --item {ITEM}", code=1, data=False)
    tried.run(f"device tap phone --item {ITEM}", code=1, data=False)
    tried.run("device restore phone --to phone-2 --token-file ada.token", code=1, data=False)
    tried.installation.do("account", "add", "ada", "--password-file", "password")
    tried.run("device sign-in phone-2 --password-file password", data=False)
    tried.run(
        f"device fleet --server {server.address} --token-file ada.token --clock clock --count 1 --days 1 "
        "--package Examples/packages/game-1", data=False)
    tried.run("lint Examples/packages/game-1/manifest.json", data=False)
    (home / "broken.json").write_text("{")
    tried.run("lint broken.json --kind manifest", code=1, data=False)
    tried.run(f"conformance {server.address} --mode read --item {ITEM}", code=None, data=False)
    tried.run(f"marketplace remove --tenant acme --item {ITEM} --version {VERSION} --yes")
    tried.run("account delete ada --yes")
    tried.run("marketplace import --tenant acme " + imported(home))


def imported(home: Path) -> str:
    """The options of `marketplace import` with the files of keys and certificates that OpenSSL creates."""
    for name in ("encryption", "signing"):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:3072", "-nodes", "-days", "400", "-subj", f"/CN={name}",
             "-keyout", f"{name}.pem", "-out", f"{name}.cer"], cwd=home, check=True, capture_output=True)
    subprocess.run(
        ["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "distribution.pem"], cwd=home,
        check=True, capture_output=True)
    (home / "pask.json").write_text(json.dumps({"authorizationKey": "cGFzaw=="}))
    return (
        "--encryption-certificate encryption.cer --encryption-key encryption.pem --signing-certificate signing.cer "
        "--signing-key signing.pem --pask pask.json --distribution-key distribution.pem "
        f"--distribution-key-id {uuid.uuid4()}")


def contents(tried, server):
    home = tried.installation.home
    enrolment = tried.one("enrolment add mia --course algebra --until 2099-01-01")["id"]
    tried.run("enrolment list --limit 1")
    for command in ("show", "pause", "resume", "extend --days 3"):
        tried.run(f"enrolment {command} {enrolment}")
    (home / "learners.csv").write_text("holder,reference,course\nleo,r1,algebra\nleo,r2,none\n")
    tried.run("enrolment import learners.csv", code=1)
    tried.run("enrolment add mia --course none", code=1)
    tried.run("content link mia")
    tried.run("content callback")
    tried.run("content check")
    tablet = f"--server {server.address} --tenant acme --holder mia --clock clock"
    device = tried.one(f"player new tablet {tablet}", data=False)["device"]
    token = tried.one("token create --tenant acme --scope content:token --name shop")["token"]
    answer = server.client.post(
        "/content/acme/v1/holders/token", {"holder": "mia", "device": device, "name": "Tablet"},
        {"Authorization": f"Bearer {secrecy.keep(token)}"})
    (home / "token").write_text(answer.json["token"])
    tried.run("player sign-in tablet --token-file token", data=False)
    tried.run("player add tablet lesson-01 lesson-02 lesson-03", data=False)
    tried.run("player list tablet", data=False)
    tried.run("player play tablet lesson-01 --seconds 3 --fast", data=False)
    tried.run("player play tablet lesson-09 --seconds 3 --fast", code=1, data=False)
    tried.run("player renew tablet --all --dry-run", data=False)
    tried.run("player renew tablet --all", data=False)
    tried.run("player plane tablet --until 2099-01-01", code=1, data=False)
    tried.run("player net tablet off", data=False)
    tried.run("player net tablet on", data=False)
    tried.run("player clock tablet", data=False)
    page = tried.one("content list --limit 2")
    id = page["next"]
    for command in ("show", "explain", "expire", "reset", "delete", "revoke"):
        tried.run(f"content {command} {id}")
    tried.run(f"enrolment end {enrolment}")


def keys_and_jobs(tried):
    tried.run("key prepare --tenant acme")
    tried.run("key rotate --tenant acme")
    first = tried.one("key list")["keys"][-1]["kid"]
    tried.run(f"key withdraw {first} --tenant acme")
    tried.run("key withdraw k9 --tenant acme", code=1)
    page = tried.one("token list")
    tried.run(f"token revoke {page['tokens'][0]['id']}")
    tried.run("events --kind license.*")
    tried.run("status")
    tried.run("doctor --deep", code=None)


def copies(tried, home: Path):
    tried.run("backup copy.sqlite")
    tried.run("backup copy.sqlite", code=1)
    tried.run(
        f"restore copy.sqlite --data restored --master-key-file {tried.installation.master_key}", data=False)
    tried.run("migrate-store --from sqlite:data --to sqlite:moved", data=False)
    tried.run("master-key rotate --new-key-file new.key")
