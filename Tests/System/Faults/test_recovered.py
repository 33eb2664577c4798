"""Tests `tenure store recovered` on SQLite: records that it takes over from a lost state, and states that it refuses."""

import json
import shutil

from catalogs import catalog, fresh_key, license, policy, product
from client import App
from installation import Installation, temporary_home


class PutBack:
    """An installation whose database file was replaced by an older one, and the file with the lost state."""

    def __init__(self, installation: Installation):
        self.installation = installation
        self.revoked, self.both, self.own = fresh_key(), fresh_key(), fresh_key()
        installation.apply(catalog("acme", product(policies=[policy()], licenses=[
            license(key, holder="old@example.com") for key in (self.revoked, self.both, self.own)])))
        with installation.serving() as server:
            App(server.client, "acme", "notes").activated(self.revoked)
        older = installation.home / "older.sqlite"
        self._copy(installation.database, older)
        self.sold = installation.issue("acme", "notes", "pro", "--order", "o-1")["licenseKey"]
        installation.do("license", "revoke", self.revoked)
        installation.do("license", "change", self.both, "--holder", "lost@example.com")
        self.lost = installation.home / "lost.sqlite"
        self._copy(installation.database, self.lost)
        self._copy(older, installation.database)
        installation.do("license", "change", self.both, "--order", "own-1")

    @staticmethod
    def _copy(source, target) -> None:
        for end in ("", "-wal", "-shm"):
            file = target.with_name(target.name + end)
            file.unlink(missing_ok=True)
            if source.with_name(source.name + end).exists():
                shutil.copy2(source.with_name(source.name + end), file)

    def recover(self, *options: str):
        return self.installation.run("store", "recovered", *options)

    def events(self) -> list[dict]:
        return [json.loads(line) for line in self.installation.do("events", "--tenant", "acme", "--json").out.splitlines()]


def test_the_command_store_recovered_takes_over_lost_records_except_those_that_were_changed_since(installation):
    store = PutBack(installation)
    last = max(event["sequence"] for event in store.events())
    before = store.lost.read_bytes()
    recovered = store.recover("--carry-from", f"sqlite:{store.lost}")
    assert recovered.code == 0 and "settled; took 1 record over, and left 1 behind" in recovered.out, recovered
    for text in ("given in the lost state:", "it was changed here since, too", "operator:cli", "withdrawn since"):
        assert text in recovered.out, recovered
    assert store.sold not in recovered.out
    assert store.lost.read_bytes() == before
    assert installation.show(store.sold)["order"] == "o-1"
    assert installation.show(store.revoked)["state"] == "revoked"
    assert [installation.show(store.both)[field] for field in ("holder", "order")] == ["old@example.com", "own-1"]
    later = [event for event in store.events() if event["sequence"] > last]
    assert later[0]["kind"] == "store.restored" and later[0]["sequence"] > 1_000_000, later
    assert [event["kind"] for event in later[1:]] == ["license.issued", "license.revoked"], later
    installation.do("doctor", "--deep")

    count = len(store.events())
    again = store.recover("--carry-from", f"sqlite:{store.lost}")
    assert again.code == 0 and "nothing is to be settled" in again.out, again
    assert len(store.events()) == count


def test_repeating_a_recovery_undoes_no_change_made_since_the_first_one(installation):
    store = PutBack(installation)
    installation.do("license", "suspend", store.own)
    store.recover("--carry-from", f"sqlite:{store.lost}")
    installation.do("license", "change", store.sold, "--holder", "new@example.com")
    installation.do("license", "reinstate", store.own)
    assert "nothing is to be settled" in store.recover("--carry-from", f"sqlite:{store.lost}").out
    assert installation.show(store.sold)["holder"] == "new@example.com"
    assert installation.show(store.own)["state"] == "issued"


def test_the_command_store_recovered_takes_no_records_from_an_earlier_missing_or_foreign_store(installation):
    store = PutBack(installation)
    older, own = installation.home / "older.sqlite", installation.data
    count = len(store.events())
    for named in (older, own):
        refused = store.recover("--carry-from", f"sqlite:{named}")
        assert refused.code == 1 and "an earlier state of it" in refused.err and "Nothing was changed" in refused.err, refused
    missing = store.recover("--carry-from", f"sqlite:{installation.home / 'none.sqlite'}")
    assert missing.code == 1 and "can't be read" in missing.err, missing
    with temporary_home() as home:
        other = Installation(home)
        other.do("init")
        stranger = store.recover("--carry-from", f"sqlite:{other.data}")
        assert stranger.code == 1 and "another installation" in stranger.err, stranger
    assert len(store.events()) == count


def test_the_command_store_recovered_takes_no_records_from_a_store_that_has_returned_to_an_older_state(installation):
    store = PutBack(installation)
    assert store.recover("--carry-from", f"sqlite:{store.lost}").code == 0
    recovered = installation.home / "recovered.sqlite"
    PutBack._copy(installation.database, recovered)
    PutBack._copy(store.lost, installation.database)
    swapped = store.recover("--carry-from", f"sqlite:{recovered}")
    assert swapped.code == 1 and "has itself returned to an older state" in swapped.err, swapped


def test_a_recovery_stays_incomplete_while_the_policy_of_a_lost_record_is_missing(installation):
    store = PutBack(installation)
    # Add to the lost state a policy that the store lacks, and a license of this policy.
    PutBack._copy(installation.database, installation.home / "recovered.sqlite")
    PutBack._copy(store.lost, installation.database)
    later = catalog("acme", product(policies=[policy(), policy("team")]))
    installation.apply(later)
    team = installation.issue("acme", "notes", "team")["licenseKey"]
    PutBack._copy(installation.database, store.lost)
    PutBack._copy(installation.home / "recovered.sqlite", installation.database)

    unsettled = store.recover("--carry-from", f"sqlite:{store.lost}")
    assert unsettled.code == 1 and "not settled, because 1 record needs a tenant, product or policy" in unsettled.out, unsettled
    assert installation.show(store.sold)["order"] == "o-1"
    assert installation.run("license", "show", team).code == 1
    installation.apply(later)
    settled = store.recover("--carry-from", f"sqlite:{store.lost}")
    assert settled.code == 0 and "took 1 record over" in settled.out, settled
    assert installation.show(team)["policy"] == "team"
    installation.do("doctor", "--deep")


def test_the_command_store_recovered_leaves_a_store_without_a_loss_unchanged(installation):
    store = PutBack(installation)
    with installation.serving():
        pass
    count = len(store.events())
    settled = store.recover("--json")
    assert settled.code == 0 and not settled.json["settled"] and settled.json["noticedAt"] is None, settled
    assert store.recover().out.startswith("nothing is to be settled")
    assert len(store.events()) == count
