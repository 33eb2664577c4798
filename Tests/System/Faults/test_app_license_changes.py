"""Tests an app whose license another device activates at the same time, or whose license the vendor changes."""

import socket
import threading

import pytest

from catalogs import catalog, fresh_key, license, policy, product
from notes import Notes

HOUR = 3_600
DAY = 86_400
SKEW = 300
LICENSED = "Licensed"
NONE = "No license at the moment."

pytestmark = pytest.mark.parametrize("dialect", ["keylight", "tenure"])


@pytest.fixture
def nobody():
    """An address at which no server listens."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
    return address


def offer(installation, *keys: str, **members) -> None:
    """Applies a catalog with these licenses and a policy with these members."""
    licenses = [license(key) for key in keys]
    installation.apply(catalog("acme", product(policies=[policy(**members)], licenses=licenses)))


def at_once(acts: list) -> list:
    """Runs all functions at the same time, and returns their results in order."""
    start, answers = threading.Barrier(len(acts)), [None] * len(acts)

    def do(number: int) -> None:
        start.wait()
        answers[number] = acts[number]()

    threads = [threading.Thread(target=do, args=(number,)) for number in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def pass_time(installation, seconds: int, *apps: Notes) -> None:
    installation.set_clock(seconds)
    for app in apps:
        app.at(seconds)


def test_of_two_competing_devices_one_gets_the_last_activation_and_the_other_shows_why_it_was_refused(
        installation, dialect):
    installation.moves_time()
    keys = [fresh_key() for _ in range(5)]
    offer(installation, *keys, activationLimit=2)
    with installation.serving() as server:
        for number, key in enumerate(keys):
            first, *rivals = [
                Notes(installation.home, dialect, f"{name}-of-round-{number}").at(0) for name in ("first", "one", "two")]
            assert first.run(server.address, "activate", key)[0] == 0
            answers = at_once([lambda app=app: app.run(server.address, "activate", key) for app in rivals])

            (won, said), (lost, why) = sorted(answers)
            assert (won, lost) == (0, 1), answers
            assert said.startswith(LICENSED)
            assert why.startswith("That was refused.\n  All 2 activations of this license are in use.\n    -> "), why
            assert len(installation.show(key)["activations"]) == 2

            # The next launch shows the same result.
            winner, loser = rivals if answers[0][0] == 0 else reversed(rivals)
            assert winner.headline(server.address).startswith(LICENSED)
            assert loser.headline(server.address) == NONE
            # Once the winner deactivates, the loser can activate.
            assert winner.run(server.address, "deactivate")[0] == 0
            assert loser.run(server.address, "activate", key)[1].startswith(LICENSED)
            assert winner.headline(server.address) == NONE


def test_two_processes_of_one_device_use_one_activation(installation, dialect):
    installation.moves_time()
    keys = [fresh_key() for _ in range(5)]
    offer(installation, *keys, activationLimit=1)
    with installation.serving() as server:
        for number, key in enumerate(keys):
            app = Notes(installation.home, dialect, f"device-of-round-{number}").at(0)
            answers = at_once([lambda: app.run(server.address, "activate", key)] * 2)
            assert [code for code, _ in answers] == [0, 0], answers
            assert len(installation.show(key)["activations"]) == 1
            assert app.headline(server.address).startswith(LICENSED)


@pytest.fixture
def key(installation):
    key = fresh_key()
    installation.moves_time()
    offer(installation, key)
    return key


@pytest.fixture
def app(installation, dialect):
    return Notes(installation.home, dialect).at(0)


def test_changed_entitlements_reach_the_app_at_its_next_refresh(installation, key, app):
    with installation.serving() as server:
        assert app.run(server.address, "activate", key)[1].startswith("Licensed for export, sync.")
        copy = installation.home / "copy.txt"
        assert app.run(server.address, "export", str(copy))[0] == 0

        offer(installation, key, entitlements=["sync"])
        pass_time(installation, HOUR, app)
        assert app.headline(server.address) == "Licensed for export, sync."
        assert app.run(server.address, "check")[1].startswith("Licensed for sync.\n")
        assert app.run(server.address, "export", str(copy)) == (1, "Your license does not include export.\n")

        offer(installation, key, entitlements=["export", "print"])
        pass_time(installation, 8 * HOUR, app)
        assert app.headline(server.address) == "Licensed for export, print."
        assert app.run(server.address, "export", str(copy))[0] == 0


def test_changed_lease_days_reach_the_app_at_its_next_refresh(installation, key, app, nobody):
    with installation.serving() as server:
        assert app.run(server.address, "activate", key)[0] == 0
        offer(installation, key, leaseDays=1)
        pass_time(installation, 7 * HOUR, app)
        assert app.headline(server.address).startswith(LICENSED)
        # Offline, the new lease of one day applies, not the earlier one of a week.
        assert app.at(7 * HOUR + DAY).headline(nobody).startswith(LICENSED)
        later = 7 * HOUR + DAY + 2 * SKEW
        assert app.at(later).headline(nobody) == NONE

        offer(installation, key, leaseDays=30)
        pass_time(installation, later, app)
        assert app.run(server.address, "check")[1].startswith(LICENSED)
        assert app.at(later + 30 * DAY).headline(nobody).startswith(LICENSED)
        assert app.at(later + 30 * DAY + 2 * SKEW).headline(nobody) == NONE


def test_a_lowered_activation_limit_releases_no_device(installation, key, app, dialect):
    other = Notes(installation.home, dialect, "another-device").at(0)
    with installation.serving() as server:
        for device in (app, other):
            assert device.run(server.address, "activate", key)[0] == 0
        offer(installation, key, activationLimit=1)
        pass_time(installation, 7 * HOUR, app, other)
        for device in (app, other):
            assert device.headline(server.address).startswith(LICENSED)
        third = Notes(installation.home, dialect, "a-third-device").at(7 * HOUR)
        code, why = third.run(server.address, "activate", key)
        assert code == 1 and why.startswith("That was refused."), why
