"""Tests a server that starts without PostgreSQL from its snapshot, and serves everything once PostgreSQL is back."""

import json
import shutil
import subprocess
from urllib.parse import urlencode

import jwt
import pytest
import secrecy
from client import App
from database import SharedInstallation, running_database
from installation import Installation
from school import School
from vendor import Vendor
from waiting import eventually

KOLLUS = "tenure-kollus-test-security-key!"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Site:
    """A server on a separate database server, with a product, content and Kollus."""

    def __init__(self, home, database):
        self.database = database
        self.installation = SharedInstallation(home, database, database.new_database(), "away")
        self.installation.do("init")

    @property
    def data(self):
        """The default data folder; installations on a database don't name one."""
        return self.installation.home / "tenure-data"

    @property
    def snapshot(self):
        return self.data / "start-snapshot"

    def fill(self) -> None:
        """Runs the server once, until it has stored a snapshot of everything."""
        with self.installation.serving() as server:
            vendor = Vendor(self.installation, server)
            self.tenant = vendor.tenant
            self.school = School(vendor, kollus={"securityKey": KOLLUS, "customKey": "custom"})
            self.path = secrecy.keep(self.installation.do(
                "content", "callback", "--tenant", self.tenant, "--json").json["path"])
            self.school.enrol("learner")
            assert self.kollus(server, 1)["result"] == 1
            self.keysets = [server.client.get(path).json for path in self.keyset_paths]
            self.license = vendor.offer_license()
            self.installation.do("token", "create", "--tenant", self.tenant, "--scope", "content:read", "--name", "later")
            first = self.snapshot_bytes()
            # The next change of the catalog must update the snapshot.
            self.installation.do("key", "prepare", "--tenant", self.tenant)
            eventually(self.snapshot_bytes, lambda bytes: bytes not in (None, first))
            self.keysets = [server.client.get(path).json for path in self.keyset_paths]

    def snapshot_bytes(self) -> bytes | None:
        return self.snapshot.read_bytes() if self.snapshot.exists() else None

    @property
    def keyset_paths(self) -> list[str]:
        return [f"/{self.tenant}/.well-known/keylight-keys", f"/content/{self.tenant}/v1/keys"]

    def ask(self, server, kind: int, path: str | None = None):
        item = {"kind": kind, "media_content_key": "mck-1", "client_user_id": "learner", "player_id": "p1"}
        return server.client.ask("POST", path or self.path, urlencode({"items": json.dumps([item])}).encode(), FORM)

    def kollus(self, server, kind: int) -> dict:
        answer = self.ask(server, kind)
        assert answer.status == 200, answer
        return jwt.decode(answer.body.decode(), KOLLUS, algorithms=["HS256"])["data"][0]

    def others(self, server) -> list:
        """Requests that need the database, one of each kind."""
        client = server.client
        return [
            client.post(f"/{self.tenant}/notes/activate", {"license_key": self.license, "instance_name": "Mac"}),
            client.get(f"/{self.tenant}/notes/config"), client.get(f"/content/{self.tenant}/v1/time?nonce=" + "A" * 22),
            client.get(f"/v1/{self.tenant}/licenses", {"Authorization": "Bearer x"}),
            client.get(f"/v1/{self.tenant}/events", {"Authorization": "Bearer x"}),
            client.get("/.well-known/marketplace-kit"), client.get("/only/the/catalog/knows")]

    def is_away(self, server) -> None:
        assert server.client.get("/health").status == 200
        ready = server.client.get("/ready")
        assert (ready.status, ready["code"]) == (503, "store_unavailable")
        for answer in self.others(server):
            assert answer.status == 503 and answer.headers["retry-after"], answer


@pytest.fixture
def site(home):
    with running_database() as database:
        site = Site(home, database)
        site.fill()
        yield site


def downloaded(site) -> list:
    return [one["downloadedAt"] for one in site.school.ask("GET", "/licenses?limit=1000")["licenses"]]


def test_a_server_starts_from_its_snapshot_and_becomes_ready_once_the_database_is_back(site):
    assert site.snapshot.stat().st_mode & 0o777 == 0o600
    held = site.snapshot.read_bytes()
    for secret in (KOLLUS, site.path.rsplit("/", 1)[1], site.tenant):
        assert secret.encode() not in held, "it is sealed"
    assert not list(site.data.glob("start-snapshot.*")), "no half file is left"
    site.database.stop()
    with site.installation.serving() as server:
        site.is_away(server)
        assert [server.client.get(path).json for path in site.keyset_paths] == site.keysets
        assert site.kollus(server, 2)["result"] == 1
        for wrong in (site.path + "x", f"/content/nobody/kollus/drm/{'x' * 32}"):
            assert site.ask(server, 2, wrong).status == 503, "nobody knows whether that is a new secret"
        assert server.client.get("/nobody/.well-known/keylight-keys").status == 503
        site.database.start()
        eventually(lambda: server.client.get("/ready").status, lambda status: status == 200, 60)
        app = App(server.client, site.tenant, "notes")
        assert app.activate(site.license, "Mac").status == 200
        assert site.ask(server, 2, site.path + "x").status == 404
        site.school.vendor.server = server
        eventually(lambda: downloaded(site), lambda moments: moments and all(moments))
        assert server.client.get("/only/the/catalog/knows").status == 404


def test_a_server_that_starts_without_database_and_snapshot_serves_only_health(site):
    site.snapshot.unlink()
    site.database.stop()
    with site.installation.serving() as server:
        site.is_away(server)
        assert site.ask(server, 2).status == 503
        assert [server.client.get(path).status for path in site.keyset_paths] == [503, 503]
        site.database.start()
        eventually(lambda: server.client.get("/ready").status, lambda status: status == 200, 60)
        assert site.kollus(server, 2)["result"] == 1
        assert eventually(site.snapshot_bytes, bool)


def test_reports_of_completed_downloads_survive_a_restart_without_database_and_snapshot(site):
    site.database.stop()
    server = site.installation.start()
    assert site.kollus(server, 2)["result"] == 1
    server.kill()
    site.snapshot.unlink()
    with site.installation.serving() as server:
        site.is_away(server)
        site.database.start()
        site.school.vendor.server = server
        eventually(lambda: server.client.get("/ready").status, lambda status: status == 200, 60)
        eventually(lambda: downloaded(site), lambda moments: moments and all(moments))


def test_a_damaged_snapshot_and_one_of_another_database_or_master_key_are_not_used(site, home):
    whole = site.snapshot.read_bytes()
    other = SharedInstallation(home, site.database, site.database.new_database(), "away")
    other.do("init")
    site.database.stop()
    with other.serving() as server:
        assert site.ask(server, 2).status == 503, "another database"
    site.snapshot.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with site.installation.serving() as server:
        assert site.ask(server, 2).status == 503, "damaged"
    site.snapshot.write_bytes(whole)
    kept = site.installation.master_key.read_text()
    site.installation.master_key.unlink()
    site.installation.master_key.write_text("ab" * 32 + "\n")
    with site.installation.serving() as server:
        assert site.ask(server, 2).status == 503, "another master key"
    site.installation.master_key.write_text(kept)
    with site.installation.serving() as server:
        assert site.kollus(server, 2)["result"] == 1, "it is used where all is right"


def ends(installation, database) -> tuple[int, str]:
    """Starts a server without its database, starts the database, and returns the server's exit code and errors."""
    words = installation.words("serve", "--listen", "127.0.0.1:0")
    database.stop()
    process = subprocess.Popen(
        words, cwd=installation.home, env=installation.environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline().startswith("tenure: ready on ")
        database.start()
        said = process.communicate(timeout=60)[1]
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    secrecy.heard(said)
    return process.returncode, said


def test_a_server_that_started_without_its_database_stops_if_a_start_check_fails_once_it_is_connected(site):
    installation = site.installation
    kept = installation.master_key.read_text()
    installation.master_key.unlink()
    installation.master_key.write_text("cd" * 32 + "\n")
    refused = installation.run("serve", "--listen", "127.0.0.1:0")
    code, said = ends(installation, site.database)
    sentence = refused.err.strip().splitlines()[-1]
    assert "not the master key" in sentence and (code, sentence) == (refused.code, said.strip().splitlines()[-1])
    installation.master_key.write_text(kept)

    installation.sql("INSERT INTO tenure_migrations VALUES ('9999-from-later', 0)")
    refused = installation.run("serve", "--listen", "127.0.0.1:0")
    code, said = ends(installation, site.database)
    sentence = refused.err.strip().splitlines()[-1]
    assert "newer version" in sentence and (code, sentence) == (refused.code, said.strip().splitlines()[-1])


def test_a_snapshot_in_the_folder_of_the_master_key_is_not_used(site):
    installation = site.installation
    before = site.snapshot_bytes()
    inside = site.data / "own.key"
    shutil.copy(installation.master_key, inside)
    words = installation.words("serve", "--listen", "127.0.0.1:0")
    words[words.index("--master-key-file") + 1] = str(inside)
    site.database.stop()
    moved = Moved(installation, words)
    with moved.serving() as server:
        assert server.says("Move the key out of it"), server.said
        assert site.ask(server, 2).status == 503
    assert site.snapshot_bytes() == before


class Moved(Installation):
    """An installation whose server starts with this command line."""

    def __init__(self, installation, words: list[str]):
        super().__init__(installation.home)
        self._words = words

    def words(self, *words: str) -> list[str]:
        return self._words


def test_a_wrong_database_name_ends_the_start_with_an_error(site):
    words = site.installation.words("serve", "--listen", "127.0.0.1:0")
    place = words.index("--store") + 1
    words[place] = words[place].replace(f"/{site.installation.store}?", "/nowhere?")
    refused = site.installation.run_words(words)
    assert refused.code == 1 and "nowhere" in refused.err
