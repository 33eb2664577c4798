"""Tests that a second restore takes over the records that two stores have issued since the backup."""

import shlex

import secrecy
from client import App
from resale import Shop


class Restored(Shop):
    """A vendor whose store was restored once, without the records issued since the backup."""

    def printed_command(self, output) -> list[str]:
        """The words of the command that the restore prints for taking over records."""
        return shlex.split(next(part for part in output.err.split("`") if part.startswith("tenure restore ")))[1:]

    def take_over(self, output) -> None:
        """Runs the printed command, which must leave no damage."""
        words = self.installation.words()[:1] + self.printed_command(output) + ["--json"]
        done = self.installation.run_words(words)
        assert done.code == 0, done
        self.given = done.json["given"]
        self.installation.do("doctor", "--deep")

    def live(self, key: str) -> list[str]:
        """The ids of a license's live activations."""
        return [id for id, released in self.installation.places(key).items() if released is None]


def test_a_device_activated_again_after_a_restore_has_one_activation_once_lost_records_are_taken_over(installation):
    shop = Restored(installation)
    mac = {"machine_hash": "ab" * 32}
    with installation.serving() as server:
        first = App(server.client, "acme", "notes").activated(shop.old, "ada mac", **mac)
    sold = shop.sell()
    lost = shop.restore()
    with installation.serving() as server:
        app = App(server.client, "acme", "notes")
        assert app.validate(shop.old, first).json.get("code") == "activation_released"
        second = app.activated(shop.old, "ada mac", **mac)
        assert second != first
    shop.take_over(lost)
    assert shop.live(shop.old) == [second], "the running device's activation stays"
    assert installation.show(sold)["state"] == "issued"
    with installation.serving() as server:
        app = App(server.client, "acme", "notes")
        assert app.validate(shop.old, second).status == 200
        app.activated(shop.old, "ada phone", machine_hash="cd" * 32)


def test_a_trial_restarted_after_a_restore_gets_its_added_days_back_once_lost_records_are_taken_over(installation):
    installation.moves_time()
    shop = Restored(installation)
    device = "ef" * 32

    def start():
        with installation.serving() as server:
            started = server.client.post("/v1/acme/notes/leases/trial", {"nonce": "A" * 32, "device": device})
            assert started.status == 200, started

    def trial() -> dict:
        return installation.do("trial", "show", device, "--tenant", "acme", "--product", "notes", "--json").json

    start()
    installation.do("trial", "extend", device, "--days", "7", "--tenant", "acme", "--product", "notes")
    extended = trial()
    installation.set_clock(3600)
    lost = shop.restore()
    assert extended["code"] + " of acme/notes" in lost.out, lost
    start()
    assert trial()["endsAt"] < extended["endsAt"]
    shop.take_over(lost)
    assert trial() == extended


def test_a_restore_with_carry_issued_takes_over_the_reset_of_a_trial(installation):
    installation.moves_time()
    shop = Restored(installation)
    device = "ef" * 32
    with installation.serving() as server:
        server.client.post("/v1/acme/notes/leases/trial", {"nonce": "A" * 32, "device": device})
    of = (device, "--tenant", "acme", "--product", "notes")
    installation.do("trial", "extend", *of, "--days", "300")
    installation.do("backup", "copy2.sqlite")
    installation.set_clock(3600)
    installation.do("trial", "reset", *of, "--yes")
    reset = installation.do("trial", "show", *of, "--json").json
    given = installation.do("restore", "copy2.sqlite", "--replace", "--carry-issued", "--json").json["given"]
    assert [(group["actor"], group["act"]) for group in given["byActor"] if group["kind"] == "trial"] == [
        ("operator:cli", "changed")], given
    assert [item["acts"] for item in given["items"] if item["kind"] == "trial"] == [["reset"]], given
    assert installation.do("trial", "show", *of, "--json").json == reset


def test_revocations_after_a_restore_survive_the_next_restore(installation):
    shop = Restored(installation)
    sold = shop.sell()
    token = installation.do(
        "token", "create", "--tenant", "acme", "--name", "erp", "--scope", "licenses:read", "--json").json
    secrecy.keep(token["token"])
    with installation.serving() as server:
        mac = App(server.client, "acme", "notes").activated(sold, "mac", machine_hash="ab" * 32)
    shop.restore("--carry-issued")
    first = next(installation.data.glob("*.before-restore-*"))
    installation.do("license", "suspend", sold, "--reason", "chargeback")
    installation.do("activation", "release", mac)
    installation.do("token", "revoke", token["id"])
    shop.restore("--carry-from", f"sqlite:{first}", "--carry-issued")
    assert installation.show(sold)["state"] == "suspended"
    assert "chargeback" in installation.do("license", "explain", sold).out
    assert shop.live(sold) == []
    listed = installation.do("token", "list", "--json").json["tokens"]
    assert next(row for row in listed if row["id"] == token["id"])["revokedAt"] is not None
    kinds = [event["kind"] for event in installation.show(sold)["events"]]
    assert len(kinds) == len(set(kinds)), "each event is recorded once"
    installation.do("doctor", "--deep")


def test_a_suspension_and_a_release_after_a_restore_survive_taking_over_the_licenses_lost_renewal(installation):
    """After a backup, the first store renews a license; the restored store suspends it and releases one of its devices."""
    shop = Restored(installation)
    with installation.serving() as server:
        app = App(server.client, "acme", "notes")
        stolen, mine = (app.activated(shop.old, name, machine_hash=digit * 64) for name, digit in (("mac", "a"), ("pc", "b")))
    installation.do("backup", "devices.sqlite")
    installation.do("license", "renew", shop.old, "--days", "30")
    renewed = installation.show(shop.old)["expiresAt"]
    lost = installation.do("restore", "devices.sqlite", "--replace")
    installation.do("license", "suspend", shop.old, "--reason", "chargeback")
    installation.do("activation", "release", stolen, "--reason", "stolen")
    shop.take_over(lost)
    license = installation.show(shop.old)
    assert (license["state"], license["expiresAt"]) == ("suspended", renewed)
    assert shop.live(shop.old) == [mine]
    assert "chargeback" in installation.do("license", "explain", shop.old).out
