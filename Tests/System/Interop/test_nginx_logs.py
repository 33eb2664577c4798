"""Tests that nginx, with the documented configurations, logs no path that contains a secret."""

import pytest
from nginx import documented, free_port, nginx

SECRET = "s3cr3t-0123456789"
SECRET_PATHS = [
    f"/content/acme/kollus/drm/{SECRET}", f"/oauth/acme/authorize?state={SECRET}", f"/oauth/acme/link/{SECRET}",
    f"/portal/acme/notes/link/{SECRET}", f"/resolve/acme/link/{SECRET}",
]


@pytest.mark.parametrize("page", ["operations.md", "packages.md"])
def test_nginx_with_the_documented_configuration_logs_no_path_that_contains_a_secret(home, page):
    configuration = documented(page)
    # No server listens at the configured address, so each request fails and adds a line to the error log.
    for shown, ours in (
            ("unix:/run/tenure/tenure.sock", f"127.0.0.1:{free_port()}"),
            ("listen 443 ssl;", "listen 127.0.0.1:PORT;"), ("/var/log/nginx", str(home / "nginx")),
            ("/srv/tenure/packages", str(home))):
        configuration = configuration.replace(shown, ours)
    with nginx(home, configuration) as client:
        for path in SECRET_PATHS:
            for form in (path, "/" + path, path.replace("/", "//")):
                assert client.ask("POST", form).status == 502
        assert client.ask("GET", "/v1/acme/licenses?/link/").status == 502
    access, errors = ((home / "nginx" / name).read_text() for name in ("access.log", "error.log"))
    assert SECRET not in access and SECRET not in errors
    assert access.count("\n") == 1 and "/v1/acme/licenses?/link/" in access
    assert "/v1/acme/licenses?/link/" in errors
