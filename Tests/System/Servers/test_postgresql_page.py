"""Runs all commands of the page about PostgreSQL in production, on databases and servers of its own."""

import json
import re
import shutil

import catalogs
import pytest
import secrecy
from client import App, Client
from nginx import DOCUMENTATION
from page_hosts import Hosts, blocks

PAGE = "postgresql.md"


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


def test_every_command_of_the_page_does_what_it_shows(hosts):
    key, tenant = catalogs.fresh_key(), catalogs.fresh()
    instances = []
    options = "--store-file /etc/tenure/serving.url --master-key-file /etc/tenure/master.key"

    def activate(number: str) -> None:
        app = App(Client(hosts.url(number)), tenant, "notes")
        instances.append(app.activated(key, f"device {len(instances)}"))

    sections = []
    for block in blocks(PAGE):
        if block.section not in sections:
            sections.append(block.section)
            if block.section == "Password rotation":
                catalog = catalogs.catalog(tenant, catalogs.product(licenses=[catalogs.license(key)]))
                (hosts.home("app1") / "catalog.json").write_text(json.dumps(catalog))
                hosts.run("app1", f"tenure apply catalog.json {options}")
                secrecy.keep((hosts.etc / "master.key").read_text().strip())
            if block.section in ("Failover", "Recovery to a point in time"):
                activate("8080")
        hosts.perform(block)
        copy_files(hosts)
        if "doctor --deep --store-file drill.url" in block.text:
            recovered = json.loads(hosts.run(
                "app1", f"tenure license show {key} --json --store-file drill.url --master-key-file /etc/tenure/master.key"))
            assert len(recovered["activations"]) == len(instances) == 2
    activate("8081")
    events = [json.loads(line) for line in hosts.run("app1", f"tenure events --tenant {tenant} --json {options}").splitlines()]
    assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))

    metrics = Client(hosts.url("8080")).get("/metrics").body.decode()
    for name in re.findall(r"tenure_\w+", rules()):
        assert f"# TYPE {name} " in metrics, name


def rules() -> str:
    [shown] = re.findall(r"```yaml\n(.*?)```", (DOCUMENTATION / PAGE).read_text(), re.DOTALL)
    return shown
