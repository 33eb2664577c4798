"""Runs all commands of the page about PostgreSQL in production, on databases and servers of its own."""

import json
import shutil
from dataclasses import replace

import catalogs
import pytest
import secrecy
from client import App, Client
from nginx import DOCUMENTATION
from page_hosts import Block, Hosts, blocks
from waiting import eventually

PAGE = "postgresql.md"
OPTIONS = "--data /var/lib/tenure --store-file /etc/tenure/serving.url --master-key-file /etc/tenure/master.key"


@pytest.fixture
def hosts():
    hosts = Hosts()
    try:
        yield hosts
    finally:
        hosts.end()


def copy_files(hosts: Hosts) -> None:
    """Copies the files that the page tells the reader to copy, as far as they exist."""
    authority, passwords = hosts.home("any host"), hosts.home("db1")
    copies = [(authority / "authority.crt", hosts.etc / "authority.crt")]
    for host in ("db1", "db2", "db3"):
        etc = hosts.home(host) / "etc"
        copies += [
            (authority / "authority.crt", etc / "authority.crt"), (authority / f"{host}.example.crt", etc / "server.crt"),
            (authority / f"{host}.example.key", etc / "server.key")]
    copies.append((passwords / "replicator.pgpass", hosts.home("db2") / "replicator.pgpass"))
    copies += [(passwords / f"{role}.pgpass", hosts.etc / f"{role}.pgpass") for role in ("tenure", "serving")]
    owner = hosts.folder.stat()
    for source, target in copies:
        if source.exists():
            shutil.copy2(source, target)
            shutil.chown(target, owner.st_uid, owner.st_gid)


class Reader:
    """Runs the page's blocks in order, and between them the steps that only its text describes."""

    def __init__(self, hosts: Hosts):
        self._hosts, self._blocks = hosts, blocks(PAGE)
        self._key, self.tenant, self._instances = catalogs.fresh_key(), catalogs.fresh(), []
        self._count_at_moment = 0

    def read(self) -> None:
        for block in self._blocks:
            self._before(block)
            self._perform(block)
            self._after(block)

    def _perform(self, block: Block) -> None:
        self._hosts.perform(block)
        copy_files(self._hosts)

    def _section(self, name: str) -> list[Block]:
        return [block for block in self._blocks if block.section == name]

    def _before(self, block: Block) -> None:
        if "tenure apply" in block.text:
            catalog = catalogs.catalog(self.tenant, catalogs.product(
                policies=[catalogs.policy(activationLimit=100)], licenses=[catalogs.license(self._key)]))
            (self._hosts.home("app1") / "catalog.json").write_text(json.dumps(catalog))
            secrecy.keep((self._hosts.etc / "master.key").read_text().strip())
        if block.section == "Certificate renewal" and not block.is_console:
            served = self._served_certificate()
            self._perform(self._section("Certificates")[1])
            assert self._served_certificate() == served
        if block is self._section(block.section)[0] and block.section in ("Failover", "Recovery to a point in time"):
            self.activate("8080")
        if block is self._section("To go back in earnest")[0]:
            self._check_events()
            self.activate("8080")

    def _after(self, block: Block) -> None:
        is_last = block is self._section(block.section)[-1]
        if block.section == "Certificate renewal" and block.is_console:
            own = self._hosts.run("any host", "openssl x509 -noout -serial -in db1.example.crt")
            assert self._served_certificate() == own
        if block.section == "Failover" and "kill -KILL" in block.text:
            self._check_responses_without_a_primary()
            self._copy_to_db3("db1", '"$PGDATA"')
        if block.section == "Failover" and is_last:
            assert self._hosts.named("the primary") == ["db2"]
        if block.section == "What a failover lost" and block.is_console:
            assert not self._lost_events()
        if block.section == "Planned switchover":
            for step in self._section("Failover")[2:]:
                self._perform(step)
            assert self._hosts.named("the primary") == ["db1"]
        if block.section == "If the standby is away" and "curl" in block.text:
            self.activate("8080")
        if block.section == "If the standby is away" and is_last:
            self._perform(self._section("Failover")[-1])
        if block.section == "Recovery to a point in time" and "/archive/moment" in block.text and "now()" in block.text:
            self._count_at_moment = len(self._instances)
            self.activate("8080")
        if "doctor --deep --store-file drill.url" in block.text:
            is_carried = "--carry-from" in block.text
            assert self._activations("drill.url") == (len(self._instances) if is_carried else self._count_at_moment)
        if block.section == "To go back in earnest" and "pg_ctl stop" in block.text and block.host == "the primary":
            self._go_back()
        if block.section == "To go back in earnest" and is_last:
            self._settle()
        if "ALTER DATABASE tenure RENAME" in block.text:
            self._perform(self._section("Roles and rights")[-1])
        if block.section == "Restoring a backup of Tenure" and is_last:
            assert self._activations("/etc/tenure/serving.url") == len(self._instances)
            self.activate("8081")

    def _check_responses_without_a_primary(self) -> None:
        client = Client(self._hosts.url("8080"))
        app = App(client, self.tenant, "notes")
        eventually(lambda: app.validate(self._key, self._instances[0]), lambda answer: answer.status == 503)
        assert client.get(f"/{self.tenant}/.well-known/keylight-keys").status == 200
        eventually(lambda: client.get("/ready"), lambda answer: answer.status == 503 and answer["scope"] == "store")

    def _go_back(self) -> None:
        """Recovers the primary with the drill's commands, and makes the standby again."""
        [recovery] = [block for block in self._section("Recovery to a point in time") if "recovery.signal" in block.text]
        settings = recovery.text.replace("archive_mode = off\n", "")
        assert settings != recovery.text
        self._perform(replace(recovery, host="the primary", text=settings))
        [standby] = self._hosts.named("the standby")
        self._hosts.run(standby, 'mv "$PGDATA" "$PGDATA.before"')
        for step in self._section("The standby"):
            self._perform(replace(step, host="the standby") if not step.is_console else step)

    def _settle(self) -> None:
        """Checks that the servers have noticed the lost activations, and accepts the loss as the page describes."""
        lost = self._instances[self._count_at_moment:]
        del self._instances[self._count_at_moment:]
        assert self._activations("/etc/tenure/serving.url") == len(self._instances)
        ready = eventually(
            lambda: Client(self._hosts.url("8080")).get("/ready"), lambda answer: answer.status == 200)
        assert ready["rewound"], ready
        [primary] = self._hosts.named("the primary")
        self._copy_to_db3(primary, '"$PGDATA".[0-9]*')
        start, compare, stop = self._section("What a failover lost")
        self._perform(start)
        self._perform(compare)
        assert [event["kind"] for event in self._lost_events()] == ["activation.created"] * len(lost)
        self._perform(stop)
        self._hosts.run("app1", f"tenure store recovered --yes {OPTIONS}")

    def _copy_to_db3(self, host: str, folder: str) -> None:
        self._hosts.run(host, f'rm -rf {self._hosts.home("db3")}/data && cp -r {folder} {self._hosts.home("db3")}/data')

    def _lost_events(self) -> list[dict]:
        """The events that the page's comparison prints."""
        [comparison] = [block for block in self._section("What a failover lost") if block.is_console]
        command = comparison.text.split("$ ")[-1].splitlines()[0]
        return [json.loads(line) for line in self._hosts.run("app1", command).splitlines()]

    def activate(self, number: str) -> None:
        app = App(Client(self._hosts.url(number)), self.tenant, "notes")
        self._instances.append(app.activated(self._key, f"device {len(self._instances)}"))

    def _activations(self, url: str) -> int:
        license = self._hosts.run(
            "app1", f"tenure license show {self._key} --json --store-file {url} --master-key-file /etc/tenure/master.key")
        return len(json.loads(license)["activations"])

    def _check_events(self) -> None:
        events = self._hosts.run("app1", f"tenure events --tenant {self.tenant} --json {OPTIONS}").splitlines()
        assert [json.loads(event)["sequence"] for event in events] == list(range(1, len(events) + 1))

    def _served_certificate(self) -> str:
        return self._hosts.run(
            "app1", "openssl s_client -starttls postgres -connect db1.example:5432 </dev/null 2>/dev/null"
            " | openssl x509 -noout -serial")


def test_every_command_on_the_postgresql_page_gives_the_result_shown_there(hosts):
    Reader(hosts).read()
