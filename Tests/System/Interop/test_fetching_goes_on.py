"""Tests fetching packages: servers that are killed, failures and checksums, and commands that wait for a package."""

import datetime
import email.utils
import fcntl
import hashlib
import os
import pty
import re
import struct
import subprocess
import termios
import time

import pytest
from app_store import Notifier
from database import SharedInstallation, running_database
from fetching import SECRET, comes_to, connect, fetch, is_not_served, is_served
from installation import Installation
from shop import Shop
from waiting import eventually

ENGINES = ("postgres",)


# The import's state when the server is killed, and the request to App Store Connect that is open then.
STATES = {
    "announced": r"PackageVersions/", "announced, in the zip": r"/zip/", "fetching": r"PackageVariants/",
    "fetching, in the bytes": r"/variant/", "waiting": None, "held": None, "failed": None, "withdrawn": None,
    "ready": None}


@pytest.fixture(scope="session")
def own_database():
    with running_database("-c", "fsync=off") as database:
        yield database


@pytest.fixture(params=["sqlite", "postgres"])
def lonely(request, home):
    """An installation for one test, on each storage engine."""
    if request.param == "sqlite":
        return Installation(home).moves_time()
    database = request.getfixturevalue("own_database")
    installation = SharedInstallation(home, database, database.new_database(), "lonely").moves_time()
    installation.do("init")
    return installation


@pytest.mark.parametrize("state", STATES)
def test_after_a_server_was_killed_its_package_imports_continue_except_failed_and_withdrawn_ones(lonely, apple, state):
    """The server is killed while it waits for a response, while it reads one, or between requests.

    After the next start, the import continues, and the package is served completely or not at all.
    """
    running = lonely.start()
    try:
        shop = Shop(lonely, running, notifications={"secret": SECRET})
        package = shop.package(item=shop.item + 5 if state == "held" else shop.item, sizes=(40000, 1500))
        version = apple.has(package)
        assert connect(shop, apple).code == 0
        moment = STATES[state]
        if state == "fetching, in the bytes":
            apple.pace = 0.02
        elif moment:
            apple.misbehave(moment, lambda handler: __import__("time").sleep(3))
        elif state in ("waiting", "withdrawn"):
            apple.misbehave(r"PackageVersions/", (429, {"Retry-After": "600"}))
        elif state == "failed":
            apple.misbehave(r"^/files/\d+/variant/", apple.longer(1))
        told = Notifier(shop, SECRET)
        if state == "withdrawn":
            told.tell(told.first(
                "AlternativeDistributionPackageVersionAvailable", 1, alternativeDistributionPackageId=version.parent,
                alternativeDistributionPackageVersionId=version.id))
        else:
            fetch(shop, version)
        if moment:
            eventually(lambda: apple.count(moment), lambda count: count > 0)
        else:
            cause = {"waiting": "rate_limited", "withdrawn": "rate_limited", "held": "app_not_listed",
                     "failed": "asset_too_long"}.get(state)
            comes_to(shop, ("waiting" if state == "withdrawn" else state, cause), seconds=60)
        if state == "withdrawn":
            told.tell(told.first("AppVersionsUnavailable", 2, alternativeDistributionPackageIds=[version.parent]))
            comes_to(shop, ("withdrawn", None))
        running.kill()
        apple.pace = 0
        # The killed server's lease of the job lasts four minutes. After that, the next server takes the job over.
        lonely.set_clock(900)
        running = lonely.start()
        shop.server = running
        if state == "withdrawn":
            comes_to(shop, ("withdrawn", None))
            assert is_not_served(shop, package)
            return
        if state == "held":
            shop.item = package.item
            assert shop.apply().code == 0
        if state == "failed":
            comes_to(shop, ("failed", "asset_too_long"))
            assert is_not_served(shop, package)
            [job] = lonely.do("job", "list", "--state", "failed", "--tenant", shop.tenant, "--json").json["jobs"]
            lonely.do("job", "retry", job["job"])
        comes_to(shop, ("ready", None), seconds=90)
        assert is_served(shop, package)
    finally:
        running.discard()


def test_a_package_import_fails_if_only_one_of_its_assets_is_invalid(shop, apple):
    package = shop.package(sizes=(2500, 1000, 900, 800))
    apple.misbehave(r"^/files/\d+/" + package.variants[0], apple.longer(1))
    for path in package.variants[1:]:
        apple.misbehave(r"^/files/\d+/" + path, (503, {"Retry-After": "2"}))
    fetch(shop, apple.has(package))
    eventually(lambda: shop.packages()[0], lambda one: one["state"] == "failed" and one["fetched"] == 2700, 60)
    [job] = shop.installation.do("job", "list", "--state", "failed", "--tenant", shop.tenant, "--json").json["jobs"]
    shop.installation.do("job", "retry", job["job"])
    comes_to(shop, ("ready", None))
    assert is_served(shop, package)


@pytest.mark.parametrize("first", ["under way", "served"])
def test_a_package_requested_without_its_package_id_gets_the_id_from_a_notification(shop, apple, first):
    package = shop.package(sizes=(2500,))
    version = apple.has(package)
    if first == "under way":
        apple.misbehave(r"PackageVersions/", (429, {"Retry-After": "600"}))
    shop.installation.do("marketplace", "ingest", "--package-version", version.id, "--tenant", shop.tenant)
    comes_to(shop, ("waiting", "rate_limited") if first == "under way" else ("ready", None))
    told = Notifier(shop, SECRET)
    told.tell(told.first(
        "AlternativeDistributionPackageVersionAvailable", 1, alternativeDistributionPackageId=version.parent,
        alternativeDistributionPackageVersionId=version.id))
    if first == "under way":
        assert connect(shop, apple).code == 0
    eventually(
        lambda: shop.packages(), lambda seen: [(one["state"], one["packageID"]) for one in seen] == [("ready", version.parent)])
    gone = told.tell(told.first("AppVersionsUnavailable", 2, alternativeDistributionPackageIds=[version.parent]))
    assert gone["outcome"] == "applied" and is_not_served(shop, package)


def test_a_package_taken_down_before_its_import_identifies_the_app_is_withdrawn_once_the_app_is_identified(shop, apple):
    package = shop.package(sizes=(2500,))
    version = apple.has(package)
    apple.misbehave(r"PackageVersions/", (429, {"Retry-After": "600"}))
    fetch(shop, version)
    comes_to(shop, ("waiting", "rate_limited"))
    told = Notifier(shop, SECRET)
    gone = told.tell(told.first("AppVersionsUnavailable", 2, alternativeDistributionPackageIds=[version.parent]))
    assert gone["outcome"] == "unmatched"
    assert connect(shop, apple).code == 0
    comes_to(shop, ("withdrawn", None))
    assert is_not_served(shop, package)
    assert shop.offers("restore", package.version).json["failures"][0]["failure"]["reason"] == "version_withdrawn"


def test_the_files_of_a_failed_package_import_are_deleted_after_a_week(lonely, apple):
    running = lonely.start()
    try:
        shop = Shop(lonely, running)
        package = shop.package(sizes=(2500,))
        version = apple.has(package)
        assert connect(shop, apple).code == 0
        apple.misbehave(r"^/files/\d+/variant/", apple.longer(1))
        fetch(shop, version)
        comes_to(shop, ("failed", "asset_too_long"), seconds=60)
        fetching = shop.folder(package).parents[2] / ".fetching"
        assert len(list(fetching.iterdir())) == 1
        for day in (6, 8):
            running.kill()
            lonely.set_clock(day * 86_400)
            running = lonely.start()
            eventually(lambda: len(list(fetching.iterdir())), lambda count: count == (1 if day == 6 else 0))
        shop.server = running
        fetch(shop, version)
        comes_to(shop, ("ready", None), seconds=60)
        assert is_served(shop, package)
    finally:
        running.discard()


@pytest.mark.parametrize("kind", ["md5", "sha1", "sha256", "sha512"])
def test_a_package_zips_checksum_is_verified_only_with_the_length_of_md5_sha_1_or_sha_256(shop, apple, kind):
    package = shop.package(sizes=(2500,))
    version = apple.has(package)
    wrong = hashlib.new(kind, b"another zip").hexdigest().upper()
    version.checksum = wrong
    fetch(shop, version)
    if kind == "sha512":
        comes_to(shop, ("ready", None))
        assert shop.server.says(f'"checksum":"{wrong}"'), shop.server.said
        return
    comes_to(shop, ("waiting", "zip_damaged"))
    version.checksum = hashlib.new(kind, apple.zip(version)).hexdigest()
    comes_to(shop, ("ready", None), seconds=60)


def test_an_asset_without_digests_in_the_manifest_is_verified_by_its_checksum(shop, apple):
    package = shop.package(sizes=(2500,), digests=False)
    [path] = package.variants
    apple.asset_checksums[path] = hashlib.sha1(package.assets[path]).hexdigest()
    apple.misbehave(r"^/files/\d+/variant/", apple.damaged(700))
    fetch(shop, apple.has(package))
    comes_to(shop, ("waiting", "asset_damaged"))
    comes_to(shop, ("ready", None), seconds=60)
    assert is_served(shop, package)


def test_a_package_import_waits_until_the_date_in_a_retry_after_field_of_app_store_connect(shop, apple):
    package = shop.package(sizes=(2500,))
    then = email.utils.formatdate(time.time() + shop.installation.offset + 7200, usegmt=True)
    apple.misbehave(r"PackageVersions/", (429, {"Retry-After": then}))
    fetch(shop, apple.has(package))
    [waiting] = comes_to(shop, ("waiting", "rate_limited"))
    left = datetime.datetime.fromisoformat(waiting["nextAt"]).timestamp() - time.time() - shop.installation.offset
    assert 7000 < left < 10_000


def test_the_command_that_waits_for_a_package_shows_the_progress_on_a_terminal_and_reports_a_failure(shop, apple):
    package = shop.package(sizes=(40000, 20000))
    version = apple.has(package)
    apple.pace = 0.02
    words = shop.installation.words(
        "marketplace", "ingest", "--package-version", version.id, "--package-id", version.parent, "--tenant", shop.tenant,
        "--wait")
    shown, code = on_a_terminal(shop.installation, words)
    assert code == 0
    assert re.search(r"fetching KiB  \[#*\.*\]  \d+%  \d+/58  [\d.,]+/s  \d+ s left", shown), shown
    assert shown.splitlines()[-1] == f"+ package {shop.tenant}/{shop.item}/{package.version}, 58 KiB"
    bad = shop.package(sizes=(2500,), version=900000102)
    apple.pace = 0
    apple.misbehave(r"^/files/\d+/variant/", apple.longer(1))
    output = shop.installation.run(
        "marketplace", "ingest", "--package-version", apple.has(bad).id, "--tenant", shop.tenant, "--wait")
    assert output.code == 1 and "is not served: failed, asset_too_long" in output.err


def on_a_terminal(installation, words) -> tuple[str, int]:
    """Runs a command on a terminal; returns its output and its exit code."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 120, 0, 0))
    process = subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, cwd=installation.home, env=installation.environment)
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    return shown.decode().replace("\r\n", "\n"), process.wait(60)
