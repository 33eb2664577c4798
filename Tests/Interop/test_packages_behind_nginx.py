"""Packages whose bytes nginx sends, with the configuration that the documentation shows."""

from urllib.parse import urlsplit

import pytest
from installation import Installation
from nginx import documented, nginx
from shop import Shop


@pytest.fixture
def front(home):
    """A shop on a server that leaves bytes to nginx, and a client of nginx."""
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


def test_nginx_sends_what_the_server_lets_it(front):
    shop, client = front
    package = brought(shop, item=shop.own, sizes=(250_000,), deltas=(1000,))
    for path, data in package.files.items():
        direct = shop.get(package, path)
        assert (direct.status, direct.body) == (200, b"")
        assert direct.headers["x-accel-redirect"] == f"/inner/{shop.tenant}/{package.item}/{package.version}/{path}"
        answer = client.ask("GET", shop.path(package, path))
        assert (answer.status, answer.body) == (200, data), path
        assert answer.headers["content-type"] == direct.headers["content-type"]
        assert answer.headers["cache-control"] == direct.headers["cache-control"]
        assert "x-accel-redirect" not in answer.headers
        head = client.ask("HEAD", shop.path(package, path))
        assert (head.status, head.headers["content-length"]) == (200, str(len(data)))


def test_nginx_answers_ranges_and_conditions_as_the_server_does(front):
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
    assert not tag.startswith("W/")
    assert client.ask("GET", place, headers={"If-None-Match": tag}).status == 304
    assert client.ask("GET", place, headers={"Range": "bytes=0-9", "If-Range": '"other"'}).body == data
    assert client.ask("GET", place, headers={"Range": "bytes=0-9", "If-Range": tag}).body == data[:10]
    # A server without nginx in front makes the same tag: a download goes on at either.
    installation = shop.installation
    shelf = ["--packages", str(installation.home / "shelf")]
    shop.server.stop()
    with installation.serving(*shelf) as direct:
        assert direct.client.ask("HEAD", place).headers["etag"] == tag


def test_nginx_sends_nothing_that_the_server_refuses(front):
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
    # What somebody puts into the folder is not followed out of it.
    place = shop.installation.home / "shelf" / shop.tenant / str(own.item) / str(own.version) / "signature"
    place.unlink()
    place.symlink_to(shop.installation.master_key)
    assert client.ask("GET", shop.path(own, "signature")).status == 503
