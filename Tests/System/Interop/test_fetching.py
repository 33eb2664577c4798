"""Tests fetching packages from a misbehaving App Store Connect: each is served completely or not at all."""

import json
import os

import pytest
from app_store import Notifier
from fetching import SECRET, comes_to, connect, fetch, is_not_served, is_served
from installation import Installation
from shop import Shop
from waiting import eventually

ENGINES = ("sqlite",)


def test_a_notification_of_an_available_version_causes_its_package_to_be_fetched_and_offered(shop, apple):
    package = shop.package(sizes=(2500, 1000, 3000), deltas=(700,))
    version = apple.has(package)
    told = Notifier(shop, SECRET)
    outcome = told.tell(told.first(
        "AlternativeDistributionPackageVersionAvailable", 1, alternativeDistributionPackageId=version.parent.upper(),
        alternativeDistributionPackageVersionId=version.id, alternativeDistributionPackageVersionNum="1"))
    assert outcome["outcome"] == "applied"
    [listed] = comes_to(shop, ("ready", None))
    assert listed["packageID"] == version.parent
    assert is_served(shop, package)
    assert shop.offers("restore", package.version).json["failures"] == []
    assert sorted(path.name for path in shop.folder(package).iterdir()) == ["delta", "manifest.json", "signature", "variant"]
    fetching = shop.folder(package).parents[2] / ".fetching"
    assert not list(fetching.iterdir()), "nothing is left where it was fetched to"
    blobs = shop.installation.do("marketplace", "packages", "--tenant", shop.tenant, "--json").json
    assert blobs["packages"][0]["state"] == "ready"
    # A second notification with another id doesn't fetch the package again.
    before = len(apple.asked)
    again = told.tell(told.first(
        "AlternativeDistributionPackageVersionAvailable", 1, alternativeDistributionPackageId=version.parent,
        alternativeDistributionPackageVersionId=version.id))
    assert again["outcome"] == "unchanged" and len(apple.asked) == before


def test_a_notification_in_the_second_of_apples_two_formats_causes_a_package_to_be_fetched(shop, apple):
    package = shop.package()
    version = apple.has(package)
    told = Notifier(shop, SECRET)
    body = json.loads(told.second("alternativeDistributionPackageVersionCreated", 1, version.id))
    assert told.tell(json.dumps(body).encode())["outcome"] == "applied"
    comes_to(shop, ("ready", None))
    assert is_served(shop, package)


def test_a_package_import_waits_until_the_connection_to_app_store_connect_is_configured(
        hasty_installation, hasty_server, apple):
    shop = Shop(hasty_installation, hasty_server)
    package = shop.package()
    version = apple.has(package)
    fetch(shop, version)
    [waiting] = comes_to(shop, ("waiting", "not_connected"))
    assert waiting["nextAt"]
    assert connect(shop, apple).code == 0
    comes_to(shop, ("ready", None))
    assert is_served(shop, package)


@pytest.mark.parametrize("trick", ["cut", "damaged", "expired", "broken", "slow_down", "elsewhere"])
def test_an_asset_is_fetched_completely_despite_broken_connections_damage_errors_and_redirects(shop, apple, trick):
    package = shop.package(sizes=(25000,))
    path = r"^/files/\d+/variant/"
    {
        "cut": lambda: apple.misbehave(path, apple.cut(4321), apple.cut(7000), apple.cut(1)),
        "damaged": lambda: apple.misbehave(path, apple.damaged(9999)),
        "expired": lambda: apple.misbehave(path, (403, {}), (410, {})),
        "broken": lambda: apple.misbehave(path, (503, {"Retry-After": "1"}), (500, {})),
        "slow_down": lambda: apple.misbehave(r"PackageVariants/", (429, {"Retry-After": "1"}, b"{}"), (429, {"Retry-After": "2"})),
        "elsewhere": lambda: apple.misbehave(path, apple.elsewhere(3)),
    }[trick]()
    fetch(shop, apple.has(package))
    comes_to(shop, ("ready", None), seconds=90)
    assert is_served(shop, package)
    if trick == "cut":
        ranges = [fields.get("Range") for asked, fields in apple.asked if "/variant/" in asked]
        assert ranges == [None, "bytes=4321-", "bytes=11321-", "bytes=11322-"], ranges
        assert all(fields.get("If-Range") for asked, fields in apple.asked if "/variant/" in asked and "Range" in fields)
    bearers = {fields["Authorization"].split()[1] for _, fields in apple.asked if "Authorization" in fields}
    assert bearers and not any(bearer in shop.server.said for bearer in bearers), "no bearer is logged"


def test_a_package_with_an_asset_longer_than_its_manifest_states_is_not_served(shop, apple):
    package = shop.package(sizes=(2500,))
    apple.misbehave(r"^/files/\d+/variant/", apple.longer(1))
    fetch(shop, apple.has(package))
    comes_to(shop, ("failed", "asset_too_long"))
    assert is_not_served(shop, package)
    [job] = shop.installation.do("job", "list", "--state", "failed", "--tenant", shop.tenant, "--json").json["jobs"]
    shop.installation.do("job", "retry", job["job"])
    comes_to(shop, ("ready", None))
    assert is_served(shop, package)


def test_a_package_import_waits_while_an_agreement_with_apple_is_missing(shop, apple):
    body = b'{"errors":[{"status":"403","code":"FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED"}]}'
    apple.misbehave(r"PackageVersions/", (403, {}, body))
    package = shop.package()
    fetch(shop, apple.has(package))
    comes_to(shop, ("waiting", "agreement_missing"))
    assert connect(shop, apple).code == 0
    comes_to(shop, ("ready", None))


def test_instead_of_a_replaced_package_version_its_successor_is_fetched_and_served(shop, apple):
    package = shop.package()
    old = apple.has(package, state="REPLACED")
    later = package.later(shop.home / "later", 2, deltas=(900,))
    apple.has(later, parent=old.parent, number=2)
    fetch(shop, old)
    [listed] = comes_to(shop, ("ready", None))
    assert listed["revision"] == 2 and is_served(shop, later)


def test_only_the_new_files_of_a_later_package_revision_are_fetched(shop, apple):
    package = shop.package(sizes=(2500, 1000))
    first = apple.has(package)
    fetch(shop, first)
    comes_to(shop, ("ready", None))
    before = apple.count(r"^/files/\d+/variant/")
    later = package.later(shop.home / "later", 2, deltas=(900,))
    fetch(shop, apple.has(later, parent=first.parent, number=2))
    eventually(lambda: shop.packages()[0]["revision"], lambda revision: revision == 2)
    assert is_served(shop, later)
    assert apple.count(r"^/files/\d+/variant/") == before and apple.count(r"^/files/\d+/delta/") == 1


def test_a_package_of_an_app_that_the_catalog_lacks_is_fetched_but_not_served(shop, apple):
    item = shop.item + 7
    package = shop.package(item=item)
    fetch(shop, apple.has(package))
    comes_to(shop, ("held", "app_not_listed"))
    assert is_not_served(shop, package)
    assert "1 held (app_not_listed)" in shop.installation.do("status").out
    assert 'tenure_package_imports{state="held"} 1' in shop.server.client.ask("GET", "/metrics").body.decode()


def test_a_package_taken_down_during_its_import_is_withdrawn_until_a_notification_makes_it_available_again(shop, apple):
    package = shop.package(sizes=(2500,))
    version = apple.has(package)
    apple.misbehave(r"PackageVersions/", (429, {"Retry-After": "600"}))
    told = Notifier(shop, SECRET)
    told.tell(told.first(
        "AlternativeDistributionPackageVersionAvailable", 1, alternativeDistributionPackageId=version.parent,
        alternativeDistributionPackageVersionId=version.id))
    comes_to(shop, ("waiting", "rate_limited"))
    gone = told.tell(told.first("AppVersionsUnavailable", 2, alternativeDistributionPackageIds=[version.parent]))
    assert gone["outcome"] == "applied"
    comes_to(shop, ("withdrawn", None))
    told.tell(told.first(
        "AlternativeDistributionPackageVersionAvailable", 3, alternativeDistributionPackageId=version.parent,
        alternativeDistributionPackageVersionId=version.id))
    comes_to(shop, ("ready", None))
    assert is_served(shop, package)


@pytest.mark.parametrize("wrong", ["extra", "no_zip", "other_app", "garbage"])
def test_an_invalid_package_from_app_store_connect_is_refused(shop, apple, wrong):
    package = shop.package(item=shop.item + 9 if wrong == "other_app" else shop.item)
    version = apple.has(package)
    files = {
        "extra": {"manifest.json": package.files["manifest.json"], "signature": b"s", package.variants[0]: b"x"},
        "garbage": {"manifest.json": os.urandom(900), "signature": b"s"}}
    if wrong in files:
        zipped = package.zip(shop.home / "other.zip", files=files[wrong]).read_bytes()
        apple.zip = lambda one: zipped
    if wrong == "no_zip":
        apple.zip = lambda one: b"PK\x03\x04 is none"
    if wrong == "other_app":
        told = Notifier(shop, SECRET)
        told.tell(told.first(
            "AlternativeDistributionPackageVersionAvailable", 1, alternativeDistributionPackageVersionId=version.id))
        comes_to(shop, ("failed", "other_app"))
    else:
        fetch(shop, version)
        comes_to(shop, ("failed", "package_refused"))
    assert is_not_served(shop, package)


@pytest.mark.parametrize("redirects, state", [(3, ("ready", None)), (4, ("waiting", "too_many_redirects"))])
def test_three_redirects_of_an_asset_are_followed_and_a_fourth_is_not(shop, apple, redirects, state):
    version = apple.has(shop.package(sizes=(500,)))
    apple.misbehave(r"^/files/\d+/zip/", apple.elsewhere(redirects))
    fetch(shop, version)
    comes_to(shop, state)


def test_requests_for_assets_do_not_contain_the_token_for_app_store_connect(shop, apple):
    version = apple.has(shop.package(sizes=(500,)))
    apple.misbehave(r"^/files/", apple.elsewhere(1))
    fetch(shop, version)
    comes_to(shop, ("ready", None))
    links = [fields for path, fields in apple.asked if path.startswith("/files/")]
    requests = [fields for path, fields in apple.asked if not path.startswith("/files/")]
    assert requests and all(fields["Authorization"].startswith("Bearer ") for fields in requests)
    assert len(links) > 1 and not any({"Authorization", "Cookie"} & {name.title() for name in fields} for fields in links)


def test_an_app_store_connect_url_with_plain_http_a_user_or_a_path_is_refused(shop, apple):
    package = shop.package(sizes=(500,))
    version = apple.has(package)
    apple.misbehave(r"^/files/\d+/zip/", apple.elsewhere(5))
    fetch(shop, version)
    comes_to(shop, ("waiting", "too_many_redirects"))
    for url in ("http://api.example.com", "https://user@api.example.com", "https://api.example.com/v1", "ftp://127.0.0.1"):
        output = shop.installation.run(
            "marketplace", "connect", "--tenant", shop.tenant, "--issuer-id", apple.issuer, "--key-id", apple.key_id,
            "--key-file", str(apple.key_file), "--url", url)
        assert output.code == 1 and "--url" in output.err, (url, output)


def test_a_package_revision_without_a_notification_is_found_and_fetched_within_two_days(home, apple):
    """Once a day, the server searches App Store Connect for revisions without a notification."""
    installation = Installation(home).moves_time()
    with installation.serving() as server:
        shop = Shop(installation, server)
        assert connect(shop, apple).code == 0
        package = shop.package()
        version = apple.has(package)
        fetch(shop, version)
        comes_to(shop, ("ready", None))
        later = package.later(shop.home / "later", 2, deltas=(900,))
        apple.has(later, parent=version.parent, number=2)
        installation.set_clock(2 * 86_400)
        eventually(lambda: shop.packages()[0]["revision"], lambda revision: revision == 2, 60)
        assert is_served(shop, later)
