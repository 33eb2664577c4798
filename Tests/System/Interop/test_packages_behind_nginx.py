"""Tests packages that nginx sends, with the configuration from the documentation."""

import hashlib
from urllib.parse import urlsplit

import pytest
from installation import Installation
from nginx import documented, nginx
from shop import Shop


@pytest.fixture
def front(home):
    """A shop on a server that lets nginx send the packages, and a client for nginx."""
    installation = Installation(home)
    shelf = home / "shelf"
    with installation.serving("--packages", str(shelf), "--accel", "/inner/") as server:
        configuration = documented("packages.md")
        for shown, ours in (
                ("unix:/run/tenure/tenure.sock", urlsplit(server.address).netloc),
                ("listen 443 ssl;", "listen 127.0.0.1:PORT;"),
                ("/var/log/nginx", str(home / "nginx")),
                ("/srv/tenure/packages", str(shelf))):
            assert shown in configuration
            configuration = configuration.replace(shown, ours)
        with nginx(home, configuration) as client:
            shop = Shop(installation, server, access="token", packageAccess="token")
            shop.ingest_options = ["--packages", str(shelf)]
            yield shop, client


def brought(shop, **members):
    package = shop.package(**members)
    output = shop.ingest(package.folder, *shop.ingest_options)
    assert output.code == 0, output
    return package


def test_nginx_sends_the_package_files_that_the_server_allows(front):
    shop, client = front
    package = brought(shop, item=shop.own, sizes=(250_000,), deltas=(1000,))
    for path, data in package.files.items():
        direct = shop.get(package, path)
        inner = f"/inner/{shop.tenant}/{package.item}/{package.version}/{path}"
        # The server sends the manifest and the signature itself, because they are small.
        is_asset = path in package.assets
        assert (direct.status, direct.body) == (200, b"" if is_asset else data)
        assert direct.headers.get("x-accel-redirect") == (inner if is_asset else None)
        answer = client.ask("GET", shop.path(package, path))
        assert (answer.status, answer.body) == (200, data), path
        assert answer.headers["content-type"] == direct.headers["content-type"]
        assert answer.headers["cache-control"] == direct.headers["cache-control"]
        assert answer.headers["etag"] == direct.headers["etag"] and "last-modified" not in answer.headers
        assert "x-accel-redirect" not in answer.headers
        head = client.ask("HEAD", shop.path(package, path))
        assert (head.status, head.headers["content-length"]) == (200, str(len(data)))


def test_nginx_answers_range_and_conditional_requests_for_assets_with_the_servers_entity_tag(front):
    shop, client = front
    package = brought(shop, item=shop.own, sizes=(250_000,))
    path = package.variants[0]
    data = package.assets[path]
    place = shop.path(package, path)
    answer = client.ask("GET", place, headers={"Range": "bytes=100000-200000"})
    assert (answer.status, answer.body) == (206, data[100000:200001])
    assert answer.headers["content-range"] == "bytes 100000-200000/250000"
    answer = client.ask("GET", place, headers={"Range": "bytes=250000-"})
    assert (answer.status, answer.headers["content-range"]) == (416, "bytes */250000")
    assert client.ask("GET", place, headers={"Range": "bytes=0-1,5-6"}).body == data
    tag = client.ask("HEAD", place).headers["etag"]
    # The tag is the hash of the eight digests that the package has for this asset.
    chunks = b"".join(hashlib.sha256(data[at:at + 31_250]).digest() for at in range(0, 250_000, 31_250))
    assert tag == f'"{hashlib.sha256(chunks).hexdigest()}"'
    answer = client.ask("GET", place, headers={"Range": "bytes=5-9"})
    assert (answer.status, answer.headers["etag"]) == (206, tag)
    answer = client.ask("GET", place, headers={"If-None-Match": tag})
    assert (answer.status, answer.body, answer.headers["etag"]) == (304, b"", tag)
    assert client.ask("GET", place, headers={"If-None-Match": '"other"'}).body == data
    assert client.ask("GET", place, headers={"If-Match": '"other"'}).status == 412
    answer = client.ask("GET", place, headers={"If-Match": tag, "Range": "bytes=5-9"})
    assert (answer.status, answer.body) == (206, data[5:10])
    later = "Fri, 01 Jan 2038 00:00:00 GMT"
    assert client.ask("GET", place, headers={"If-Modified-Since": later}).body == data
    assert client.ask("GET", place, headers={"Range": "bytes=0-9", "If-Range": later}).body == data
    assert client.ask("GET", place, headers={"Range": "bytes=0-9", "If-Range": '"other"'}).body == data
    assert client.ask("GET", place, headers={"Range": "bytes=0-9", "If-Range": tag}).body == data[:10]
    for path in ("manifest.json", "signature"):
        data = package.files[path]
        answer = client.ask("GET", shop.path(package, path), headers={"Range": "bytes=5-9"})
        assert (answer.status, answer.body) == (206, data[5:10])
        assert answer.headers["etag"] == f'"{hashlib.sha256(data).hexdigest()}"'
        known = {"If-None-Match": answer.headers["etag"]}
        assert client.ask("GET", shop.path(package, path), headers=known).status == 304
    # A server without nginx makes the same tag, so a download can continue there.
    installation = shop.installation
    shelf = ["--packages", str(installation.home / "shelf")]
    shop.server.stop()
    with installation.serving(*shelf) as direct:
        assert direct.client.ask("HEAD", place).headers["etag"] == tag


def test_nginx_sends_no_package_file_that_the_server_refuses(front):
    shop, client = front
    package = brought(shop)
    for path in package.files:
        assert client.ask("GET", shop.path(package, path)).status == 401
        assert client.ask("GET", shop.path(package, path), headers={"Authorization": "Bearer x"}).status == 403
        inner = f"/inner/{shop.tenant}/{package.item}/{package.version}/{path}"
        assert client.ask("GET", inner).status == 404
    own = brought(shop, item=shop.own)
    assert client.ask("GET", shop.path(own, "keyblobs.json")).status == 404
    assert client.ask("GET", shop.path(own, "signature")).body == own.signature
    # A symbolic link in the folder isn't followed.
    place = shop.installation.home / "shelf" / shop.tenant / str(own.item) / str(own.version) / "signature"
    place.unlink()
    place.symlink_to(shop.installation.master_key)
    assert client.ask("GET", shop.path(own, "signature")).status == 503
