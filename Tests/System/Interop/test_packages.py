"""Tests app packages that are ingested from a folder, served, replaced and removed."""

import hashlib
import os
import shutil
import threading

import pytest
from client import Client
from package import Package
from shop import Shop

ENGINES = ("sqlite",)


@pytest.fixture
def shop(shared_installation, shared_server):
    return Shop(shared_installation, shared_server)


def test_an_ingested_package_is_served_byte_for_byte_and_offered_to_devices(shop):
    package = shop.package(deltas=(700,))
    output = shop.ingest(package.folder, "--json")
    assert output.code == 0, output
    assert output.json | {"bytes": 0} == {
        "tenant": shop.tenant, "appleItemID": str(shop.item), "appleVersionID": str(package.version), "state": "ready",
        "changed": True, "bytes": 0}
    for path, data in package.files.items():
        answer = shop.get(package, path)
        assert (answer.status, answer.body) == (200, data), path
        head = shop.get(package, path, "HEAD")
        assert (head.status, head.body, head.headers["content-length"]) == (200, b"", str(len(data)))
        assert head.headers["etag"] == answer.headers["etag"] and not answer.headers["etag"].startswith("W/")
        assert answer.headers["accept-ranges"] == "bytes"
        cached = "public, max-age=31536000, immutable" if path in package.assets else "no-cache"
        assert answer.headers["cache-control"] == cached
    offer = shop.offers("restore", package.version).json["restores"][0]
    assert offer["alternativeDistributionPackage"] == (
        f"https://{shop.tenant}.example/adp/{shop.tenant}/{shop.item}/{package.version}")
    [listed] = shop.packages()
    assert (listed["appleItemID"], listed["appleVersionID"], listed["state"], listed["cause"]) == (
        str(shop.item), str(package.version), "ready", None)


def test_requests_for_paths_that_are_not_files_of_a_package_get_404(shop):
    package = shop.package()
    (package.folder / "keyblobs.json").write_text("{}")
    assert shop.ingest(package.folder).code == 0
    assert sorted(
        str(path.relative_to(shop.folder(package))) for path in shop.folder(package).rglob("*") if path.is_file()
    ) == sorted(package.files)
    name = package.variants[0].removeprefix("variant/")
    for path in (
            "", "keyblobs.json", "variant", "variant/", f"delta/{name}", f"variant/{name.upper()}",
            "variant/../signature", "variant/%2e%2e/signature", f"variant/..%2f{name}", f"variant/{name}/",
            f"Variant/{name}", "variant/x.ipa", f"variant/{name}%00", "variant/.ipa"):
        answer = shop.get(package, path)
        assert answer.status == 404, path
        assert "json" in answer.headers["content-type"]
    for path in (
            f"/adp/{shop.tenant}/0{shop.item}/{package.version}/manifest.json",
            f"/adp/{shop.tenant}/{shop.item}/{package.version + 1}/manifest.json",
            f"/adp/nobody/{shop.item}/{package.version}/manifest.json", f"/adp/{shop.tenant}/{shop.item}"):
        assert shop.server.client.ask("GET", path).status == 404, path
    assert shop.get(package, "manifest.json", "POST").status == 405


def test_range_and_conditional_requests_get_the_responses_of_rfc_9110(shop):
    package = shop.brought(sizes=(2500,))
    path, size = package.variants[0], 2500
    data = package.assets[path]
    tag = shop.get(package, path, "HEAD").headers["etag"]
    for field, first, last in (("bytes=0-0", 0, 0), ("bytes=1000-1999", 1000, 1999), ("bytes=2499-", 2499, 2499),
                               ("bytes=-500", 2000, 2499), ("bytes=0-9999", 0, 2499)):
        answer = shop.get(package, path, Range=field)
        assert (answer.status, answer.body) == (206, data[first:last + 1]), field
        assert answer.headers["content-range"] == f"bytes {first}-{last}/{size}"
        assert answer.headers["content-length"] == str(last - first + 1) and answer.headers["etag"] == tag
    answer = shop.get(package, path, Range="bytes=2500-")
    assert (answer.status, answer.headers["content-range"]) == (416, "bytes */2500")
    for field in ("bytes=0-1,5-6", "bytes=9-1", "items=0-1", "bytes"):
        assert (shop.get(package, path, Range=field).status, shop.get(package, path, Range=field).body) == (200, data)
    assert shop.get(package, path, Range="bytes=0-9", If_Range=tag).status == 206
    assert shop.get(package, path, Range="bytes=0-9", If_Range='"other"').body == data
    for method in ("GET", "HEAD"):
        answer = shop.get(package, path, method, If_None_Match=tag)
        assert (answer.status, answer.body, answer.headers["etag"]) == (304, b"", tag)
        assert answer.headers.get("content-length") in (None, str(size))
    assert shop.get(package, path, "HEAD", Range="bytes=0-9").headers["content-length"] == str(size)
    assert shop.get(package, "manifest.json", If_None_Match=tag).status == 200


def tag(data: bytes) -> str:
    """The entity tag of a file that is hashed as a whole."""
    return f'"{hashlib.sha256(data).hexdigest()}"'


def test_the_entity_tag_of_a_package_file_is_derived_from_its_digest(shop):
    package = shop.brought(sizes=(2500, 1000), deltas=(700,))
    for path in ("manifest.json", "signature", package.variants[1], package.deltas[0]):
        assert shop.get(package, path).headers["etag"] == tag(package.files[path]), path
    # The manifest has three digests for this asset.
    path, data = package.variants[0], package.assets[package.variants[0]]
    chunks = b"".join(hashlib.sha256(data[at:at + 1000]).digest() for at in range(0, 2500, 1000))
    assert shop.get(package, path).headers["etag"] == tag(chunks)

    # Replace the files with others of the same length and modification time.
    folder = shop.folder(package)
    old = {path: (shop.get(package, path).headers["etag"], shop.get(package, path).body)
           for path in ("manifest.json", "signature")}
    for path, (_, data) in old.items():
        facts = (folder / path).stat()
        changed = data.replace(b'"distributionPackageRevision": 1', b'"distributionPackageRevision": 2')
        changed = changed if changed != data else data[::-1]
        (folder / "new").write_bytes(changed)
        (folder / "new").replace(folder / path)
        os.utime(folder / path, ns=(facts.st_atime_ns, facts.st_mtime_ns))
        answer = shop.get(package, path, If_None_Match=old[path][0])
        assert (answer.status, answer.body, answer.headers["etag"]) == (200, changed, tag(changed)), path
    # The tags stay the same in a copy of the folder.
    tags = {path: shop.get(package, path, "HEAD").headers["etag"] for path in package.files}
    shutil.copytree(folder, folder.with_name("copy"))
    shutil.rmtree(folder)
    folder.with_name("copy").rename(folder)
    for path in package.files:
        os.utime(folder / path, (5, 5))
    assert {path: shop.get(package, path, "HEAD").headers["etag"] for path in package.files} == tags


def test_the_entity_tag_of_an_asset_without_a_digest_in_the_manifest_is_the_hash_of_its_bytes(shop):
    # The second and third assets are longer than the part of a file that the server hashes at once.
    package = shop.brought(sizes=(3000, 9_000_000, 10_000_000), digests=False)
    answers = {}

    def ask(path, place):
        client = Client(shop.server.address)
        answers[path, place] = client.get(shop.path(package, path), {"Range": "bytes=0-9"})
        client.close()

    threads = [
        threading.Thread(target=ask, args=(path, place)) for path in package.variants for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 12
    for (path, _), answer in answers.items():
        data = package.assets[path]
        assert (answer.status, answer.body, answer.headers["etag"]) == (206, data[:10], tag(data)), path
    # An asset of the former revision that the new one lacks also gets its tag from its bytes.
    first = shop.brought(version=900000102, deltas=(300,))
    later = first.later(shop.home / "later", revision=2, deltas=(400,))
    assert shop.ingest(later.folder).code == 0
    path = first.deltas[0]
    assert shop.get(first, path).headers["etag"] == tag(first.assets[path])
    # If a file's length differs from the manifest, its tag doesn't come from the manifest.
    place = shop.folder(later) / later.deltas[0]
    place.write_bytes(b"short")
    assert shop.get(later, later.deltas[0]).headers["etag"] == tag(b"short")
    # The tests of this file share an installation that `doctor` checks, so repair the file.
    place.write_bytes(later.assets[later.deltas[0]])
    assert shop.get(later, later.deltas[0]).headers["etag"] == tag(later.assets[later.deltas[0]])


def damages(package: Package):
    """Functions that damage a folder, each with a text that the error must contain."""
    first = package.folder / package.variants[0]
    yield lambda: first.unlink(), f"{package.variants[0]} is missing"
    yield lambda: (package.folder / "signature").unlink(), "signature is missing"
    yield lambda: (package.folder / ".DS_Store").write_bytes(b"x"), ".DS_Store is not listed in the manifest"
    yield lambda: (package.folder / "variant/inner").mkdir(), "variant/inner is a folder"
    yield lambda: first.rename(first.with_name(first.name.upper())), "upper and lower case differ"
    yield lambda: first.write_bytes(b"short"), "has 5 bytes, but the manifest says 2500"
    yield lambda: (first.unlink(), first.symlink_to("/etc/passwd")), "is a link"
    whole = package.assets[package.variants[0]]
    yield lambda: first.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1])), "chunk 3 of 3"
    yield lambda: (package.folder / "manifest.json").write_bytes(b"{}"), "manifest.json"
    yield lambda: (package.folder / "keyblobs.json").write_bytes(b"[]"), "keyblobs.json"


def test_a_damaged_package_folder_is_refused_with_the_reason_and_changes_nothing(shop):
    package = shop.package(sizes=(2500, 1000))
    for damage, text in damages(package):
        damage()
        output = shop.ingest(package.folder)
        assert output.code == 1 and text in output.err, (text, output)
        assert shop.packages() == [] and shop.get(package, "manifest.json").status == 404
        shutil.rmtree(package.folder)
        package.write()
    assert shop.ingest(package.folder).code == 0


def test_a_package_revision_replaces_an_earlier_one_and_is_refused_if_a_later_one_is_stored(shop):
    first = shop.brought(deltas=(300,))
    tag = shop.get(first, "manifest.json").headers["etag"]
    later = first.later(shop.home / "later", revision=3, deltas=(400, 500))
    assert shop.ingest(later.folder).code == 0
    for path, data in later.files.items():
        assert shop.get(later, path).body == data
    assert shop.get(later, "manifest.json").headers["etag"] != tag
    # Downloads of the former revision's files can continue.
    assert shop.get(first, first.deltas[0]).body == first.assets[first.deltas[0]]
    output = shop.ingest(first.folder)
    assert output.code == 1 and "revision 3" in output.err
    assert shop.get(later, "manifest.json").body == later.files["manifest.json"]
    assert shop.packages()[0]["revision"] == 3


def test_the_package_of_a_held_version_is_served_but_not_offered_and_that_of_a_withdrawn_app_is_not_served(shop):
    package = shop.brought()
    shop.installation.do("marketplace", "hold", "--tenant", shop.tenant, "--item", str(shop.item))
    assert shop.get(package, "manifest.json").status == 200
    assert shop.offers("restore", package.version).json["failures"][0]["failure"]["reason"] == "version_held"
    assert shop.packages()[0]["state"] == "held"
    assert shop.apply(withdrawn=True).code == 0
    answer = shop.get(package, package.variants[0])
    assert (answer.status, answer["code"]) == (404, "app_withdrawn")
    assert shop.packages()[0]["state"] == "withdrawn"


def test_without_automatic_publication_an_ingested_package_is_held_until_an_operator_releases_it(shop):
    shop.apply(autoPublish=False)
    package = shop.brought()
    assert shop.packages()[0]["state"] == "held"
    shop.installation.do("marketplace", "release", "--tenant", shop.tenant, "--item", str(shop.item))
    assert shop.offers("restore", package.version).json["failures"] == []


def test_a_package_of_an_app_that_the_catalog_lacks_or_with_another_bundle_id_is_refused(shop):
    other = shop.package(item=shop.item + 5)
    output = shop.ingest(other.folder)
    assert output.code == 1 and f"has no app {shop.item + 5}" in output.err
    shop.brought()
    output = shop.ingest(shop.package(version=900000102, bundle="com.example.other").folder)
    assert output.code == 1 and "for another app" in output.err


def test_removing_a_package_deletes_its_files(shop):
    package, other = shop.brought(), shop.brought(version=900000102)
    words = ["--tenant", shop.tenant, "--item", str(shop.item), "--version", str(package.version)]
    assert shop.installation.do("marketplace", "remove", *words, "--json").json["removed"] is True
    assert not shop.folder(package).exists() and shop.folder(other).exists()
    assert shop.get(package, "manifest.json")["code"] == "version_unknown"
    assert shop.offers("restore", package.version).json["failures"][0]["failure"]["reason"] == "version_unknown"
    assert shop.get(other, "manifest.json").status == 200
    assert shop.installation.run("marketplace", "remove", *words).code == 1
    # The package can be ingested again.
    assert shop.ingest(package.folder).code == 0
    assert shop.get(package, "manifest.json").status == 200


def test_apply_ingests_the_packages_of_a_catalog_file_and_keeps_all_others_even_with_the_option_prune(shop):
    package = shop.package(sizes=(5000,))
    output = shop.apply("--dry-run", package=str(package.folder))
    assert output.code == 0 and f"+ package {shop.tenant}/{shop.item}/{package.version}" in output.out
    assert not shop.folder(package).exists()
    output = shop.apply()
    assert output.code == 0 and f"+ package {shop.tenant}/{shop.item}/{package.version}" in output.out, output
    assert shop.get(package, package.variants[0]).body == package.assets[package.variants[0]]
    assert shop.apply().err.strip().endswith("nothing to change")
    brought = shop.brought(version=900000102)
    output = shop.apply("--prune")
    assert output.code == 0
    assert f"! version {shop.tenant}/{shop.item}/{brought.version}: its package is stored here" in output.out
    assert shop.get(brought, "manifest.json").status == 200
    (package.folder / "extra").write_bytes(b"x")
    output = shop.apply()
    assert output.code == 1 and "extra is not listed in the manifest" in output.err
    assert "/tenants/0/marketplace/apps/0/package: " in output.err


def test_missing_package_files_are_named_by_doctor_and_requests_for_them_get_503(shop):
    package = shop.brought()
    place = shop.folder(package) / package.variants[0]
    place.unlink()
    answer = shop.get(package, package.variants[0])
    assert answer.status == 503 and "retry-after" in answer.headers
    output = shop.installation.run("doctor")
    assert output.code == 1 and "packages" in output.out and package.variants[0] in output.out
    [listed] = shop.packages()
    assert (listed["state"], listed["cause"], listed["missing"]) == ("failed", "files_missing", [package.variants[0]])
    # A symbolic link in place of a file isn't followed.
    place.symlink_to("/etc/passwd")
    assert shop.get(package, package.variants[0]).status == 503
    place.unlink()
    assert shop.ingest(package.folder).code == 0
    assert shop.get(package, package.variants[0]).body == package.assets[package.variants[0]]
    assert "packages" in shop.installation.run("doctor").out


def test_packages_that_require_a_token_are_served_only_to_accounts_that_may_install_the_app(
        shared_installation, shared_server):
    shop = Shop(shared_installation, shared_server, access="token", packageAccess="token")
    package = shop.brought(sizes=(2500,))
    own = shop.brought(item=shop.own, version=5)
    account = ["--tenant", shop.tenant]
    for name in ("ada", "bob", "eve"):
        shop.installation.do("account", "add", name, *account)
    token = {name: shop.installation.do("account", "token", name, *account, "--json").json["token"]
             for name in ("ada", "bob")}
    shop.installation.do("account", "grant", "ada", "--item", str(shop.item), *account)
    for path in package.files:
        assert (shop.get(package, path).status, shop.get(package, path)["code"]) == (401, "token_missing")
        wrong = shop.get(package, path, Authorization="Bearer nobody")
        assert (wrong.status, wrong["code"]) == (403, "token_invalid")
        unpaid = shop.get(package, path, Authorization=f"Bearer {token['bob']}")
        assert (unpaid.status, unpaid["code"]) == (402, "purchase_required")
        answer = shop.get(package, path, Authorization=f"Bearer {token['ada']}")
        assert (answer.status, answer.body) == (200, package.files[path])
        assert answer.headers["cache-control"].startswith("private, ")
        assert shop.get(own, "manifest.json").status == 200
    assert shop.get(own, "manifest.json").headers["cache-control"] == "no-cache"
    shop.members["access"] = "open"
    output = shop.apply()
    assert output.code == 1 and "/tenants/0/marketplace/packageAccess: must not be" in output.err


def test_of_concurrent_ingests_of_one_app_each_succeeds_or_is_refused_because_another_runs(shop):
    package = shop.package(sizes=(30_000_000,))
    outputs = []
    threads = [threading.Thread(target=lambda: outputs.append(shop.ingest(package.folder))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert any(output.code == 0 for output in outputs), outputs
    assert all(output.code == 0 or "Another command is changing the packages" in output.err for output in outputs), outputs
    assert shop.get(package, package.variants[0]).body == package.assets[package.variants[0]]
