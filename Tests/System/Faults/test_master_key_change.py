"""Changes the master key of a store in a data folder: under load, killed in between, and with backups from before.

`MASTER_KEY_KILLS` is the number of times that the command is killed.
"""

import os
import random
import re
import shlex
import subprocess
import time

import pytest
import secrecy
import whole_store
from catalogs import catalog, fresh_key, license, product
from changing_key import ROTATE, Load, Shop, killed_while_it_waits
from client import App
from installation import Installation
from program import PACKAGE, program

KILLS = int(os.environ.get("MASTER_KEY_KILLS", "4"))


def rotated(installation, *options: str) -> dict:
    output = installation.do(*ROTATE, "--json", *options)
    secrecy.keep((installation.home / "new.key").read_text().strip())
    return output.json


def put_in_place(installation) -> None:
    """Replaces the installation's key file with the new one, and keeps the former file as `former.key`."""
    installation.master_key.rename(installation.home / "former.key")
    (installation.home / "new.key").rename(installation.master_key)


def test_after_a_master_key_change_every_stored_secret_is_encrypted_with_the_new_key(installation):
    whole_store.fill(installation)
    secrecy.keep(installation.master_key.read_text().strip())
    devices = [installation.show(found["id"])["activations"] for found in installation.do(
        "license", "list", "--tenant", "acme", "--json").json["licenses"]]
    assert rotated(installation) == {"newKeyFile": "new.key", "changed": True}
    assert (installation.home / "new.key").stat().st_mode & 0o777 == 0o400

    for words in (["license", "list"], ["serve", "--listen", "127.0.0.1:0"], ["doctor"], ["backup", "copy.sqlite"]):
        refused = installation.run(*words)
        assert refused.code == 1 and "was changed on" in refused.out + refused.err, refused
    assert rotated(installation)["changed"] is False, "the command can be repeated with the former file"

    put_in_place(installation)
    installation.do("doctor", "--deep")
    assert devices == [installation.show(found["id"])["activations"] for found in installation.do(
        "license", "list", "--tenant", "acme", "--json").json["licenses"]]
    with installation.serving() as server:
        assert server.client.get("/acme/notes/config").status == 200


def test_a_master_key_change_under_load_survives_kills_at_random_moments(installation):
    shop = Shop(installation)
    chance = random.Random(7)
    with installation.serving() as server:
        with Load(shop, [server]) as load:
            before = shop.public_ids()
            killed_while_it_waits(installation)
            installation.do("backup", "between.sqlite")
            for _ in range(KILLS):
                change = subprocess.Popen(
                    installation.words(*ROTATE), cwd=installation.home, env=installation.environment,
                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                # The command waits twelve seconds for the server between its first steps and the others.
                time.sleep(chance.choice([0.02, 0.1, 0.3, 12]) + chance.random() * 0.5)
                change.kill()
                change.wait()
            # A late kill may come after the end of the change; then this repetition changes nothing.
            rotated(installation)
        load.check([server])
        put_in_place(installation)
        assert set(before) <= set(shop.public_ids())
    installation.do("doctor", "--deep")
    with installation.serving() as server:
        load.check([server])

    copy = Installation(installation.home, data=installation.home / "copy")
    copy.do(
        "restore", "between.sqlite", "--master-key-file", str(installation.master_key), "--former-key-file",
        "former.key", "--carry-from", f"sqlite:{installation.data}")
    copy.do("doctor", "--deep", "--master-key-file", str(installation.master_key))


def test_restoring_a_backup_from_before_a_master_key_change_needs_both_keys_and_keeps_later_revocations(installation):
    keys = [fresh_key(), fresh_key()]
    installation.apply(catalog("acme", product(licenses=[license(key) for key in keys])))
    with installation.serving() as server:
        instances = [App(server.client, "acme", "notes").activated(key) for key in keys]
    installation.do("backup", "copy.sqlite")
    rotated(installation)
    put_in_place(installation)
    installation.do("license", "revoke", keys[0])
    installation.do("key", "rotate", "--tenant", "acme")

    refused = installation.run("restore", "copy.sqlite", "--replace")
    assert refused.code == 1 and "--former-key-file" in refused.err, refused
    refused = installation.run("restore", "copy.sqlite", "--replace", "--master-key-file", "former.key")
    assert refused.code == 1 and "was changed after the copy was made" in refused.err, refused
    restored = installation.do(
        "restore", "copy.sqlite", "--replace", "--former-key-file", "former.key", "--json").json
    assert ("license", "revoked") in {(item["kind"], item["act"]) for item in restored["carriedOver"]}
    installation.do("doctor", "--deep")
    with installation.serving() as server:
        app = App(server.client, "acme", "notes")
        assert app.validate(keys[0], instances[0]).json.get("code") == "license_revoked"
        assert app.validate(keys[1], instances[1]).status == 200


def test_changing_to_another_master_key_is_refused_while_a_change_is_under_way(installation):
    shop = Shop(installation)
    with installation.serving():
        killed_while_it_waits(installation)
        for name in ("data/master.key", "new.key"):
            listed = installation.do("license", "list", "--json", "--master-key-file", str(installation.home / name))
            assert len(listed.json["licenses"]) == 1, name
        doctor = installation.run("doctor")
        assert "it is being changed" in doctor.out, doctor
        (installation.home / "other.key").write_text(secrecy.keep("5a" * 32) + "\n")
        other = installation.run("master-key", "rotate", "--new-key-file", "other.key")
        assert other.code == 1 and "already being changed" in other.err, other
    (installation.home / "new.key").unlink()
    rotated(installation)
    put_in_place(installation)
    assert shop.public_ids() == []
    assert "it is being changed" not in installation.do("doctor").out


def test_rotating_to_the_current_master_key_changes_nothing(installation):
    Shop(installation)
    before = installation.master_key.read_text()
    assert installation.do(
        "master-key", "rotate", "--new-key-file", str(installation.master_key), "--json").json["changed"] is False
    assert installation.master_key.read_text() == before


@pytest.fixture
def documented() -> list[list[str]]:
    """The blocks of commands in the section about changing the master key."""
    text = (PACKAGE / "Documentation" / "operations.md").read_text()
    section = re.search(r"### Changing the master key\n(.*?)\n## ", text, re.S)[1]
    return [block.splitlines() for block in re.findall(r"```sh\n(.*?)```", section, re.S)]


def test_the_documented_commands_change_the_master_key_and_restore_a_backup(installation, documented):
    etc, data = installation.home / "etc", installation.home / "lib"
    etc.mkdir()
    commands = [
        line.replace("/etc/tenure", str(etc)).replace("/var/lib/tenure", str(data))
        for block in documented for line in block]

    def run(line: str) -> None:
        words = shlex.split(line)
        words[0] = str(program()) if words[0] == "tenure" else words[0]
        output = installation.run_words(words)
        assert output.code == 0, (line, output)

    run(f"tenure init --data {data} --master-key-file {etc}/master.key")
    for line in commands:
        run(line)
    assert len(commands) == 6
