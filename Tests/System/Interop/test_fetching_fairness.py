"""Tests that one vendor's slow server doesn't delay the packages of other vendors."""

import threading

from fake_app_store import FakeAppStore
from fetching import comes_to, connect, fetch, is_served
from shop import Shop
from waiting import eventually

ENGINES = ("postgres",)

SLOTS = 4


def test_a_slow_app_store_connect_server_of_one_vendor_does_not_delay_another_vendors_package_import(
        shared_installation, shared_server, apple, home):
    slow, quick = (Shop(shared_installation, shared_server) for _ in range(2))
    (home / "other").mkdir()
    other = FakeAppStore(home / "other")
    released = threading.Event()

    def hold(handler):
        released.wait(120)
        apple.send(handler, 503)

    try:
        assert connect(slow, apple).code == 0 and connect(quick, other).code == 0
        apple.misbehave(r"^/files/\d+/variant/", *[hold] * SLOTS)
        late = slow.package(sizes=(1000,) * (SLOTS + 2))
        fetch(slow, apple.has(late))
        eventually(lambda: apple.count(r"/variant/"), lambda count: count == SLOTS)

        package = quick.package(sizes=(1000,) * (SLOTS + 2))
        fetch(quick, other.has(package))
        comes_to(quick, ("ready", None))
        assert is_served(quick, package)
        assert apple.count(r"/variant/") == SLOTS, "the other's package did not wait until the slow ones were given up"
    finally:
        released.set()
        other.end()
    comes_to(slow, ("ready", None), seconds=90)
    assert is_served(slow, late)
