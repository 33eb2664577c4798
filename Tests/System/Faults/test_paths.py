"""Tests malformed and hostile paths, and names that a catalog must not contain."""

import json
import socket

import pytest

ELSEWHERE = [
    "/notes", "/{tenant}", "/{tenant}/", "/{tenant}/notes", "/{tenant}/notes/", "/{tenant}/notes/lease",
    "/{tenant}/notes/config/", "/{tenant}//config", "/{tenant}/notes/config/more",
    "/{tenant}/notes/%63onfig%2f", "/{tenant}/notes%2fconfig", "/{tenant}%2fnotes/config", "/{tenant}/../metrics",
    "/{tenant}/notes/../../metrics", "/{tenant}/notes/..%2f..%2fmetrics", "/../../etc/passwd", "/%2e%2e/%2e%2e/health",
    "/{tenant}/./config", "/{tenant}/%00/config", "/{tenant}/notes%00/config", "/{tenant}/no tes/config",
    "/{tenant}/NOTES/config", "/{tenant}/notes;x=1/config", "/{tenant}/not%65s%20/config", "/{tenant}/%ff/config",
    "/{tenant}/" + "n" * 65 + "/config", "/{tenant}/" + "n" * 5000 + "/config", "/{tenant}/nötes/config",
    "/{tenant}/'--/config", "/{tenant}/*/config", "/.well-known/keylight-keys", "/*/.well-known/keylight-keys",
]


@pytest.mark.parametrize("path", ELSEWHERE)
def test_an_unknown_or_hostile_path_gets_400_or_404_without_metrics_files_or_signatures(vendor, path):
    vendor.offer()
    target = path.replace("{tenant}", vendor.tenant)
    client = vendor.server.client
    with socket.create_connection((client.host, client.port), timeout=60) as raw:
        raw.sendall(f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: raw.recv(65536), b""))
    status = int(answer.split(b" ")[1])

    assert status in (400, 404), answer
    assert b"tenure_http" not in answer and b"root:" not in answer and b'"signature"' not in answer


@pytest.mark.parametrize("slashes", ["/", "//", "//////"])
def test_several_leading_slashes_of_a_path_count_as_one(vendor, slashes):
    vendor.offer()
    client = vendor.server.client
    assert client.get(f"{slashes}{vendor.tenant}/notes/config").status == 200
    assert client.get(f"{slashes}health").status == 200


@pytest.mark.parametrize("method, path", [
    ("GET", "/{tenant}/notes/activate"), ("POST", "/{tenant}/notes/config"), ("DELETE", "/{tenant}/notes/config"),
    ("PUT", "/{tenant}/notes/validate"), ("POST", "/health"), ("TRACE", "/health"),
])
def test_a_method_that_a_path_does_not_support_gets_405(vendor, method, path):
    vendor.offer()
    answer = vendor.server.client.ask(method, path.replace("{tenant}", vendor.tenant))

    assert answer.status == 405 and answer.headers.get("allow")


def test_unknown_query_parameters_of_a_configuration_request_are_ignored(vendor):
    vendor.offer()
    assert vendor.server.client.get(f"/{vendor.tenant}/notes/config?a=b&a=../..").status == 200


@pytest.mark.parametrize("id", [
    "../x", "a b", "UPPER", "a|b", "a,b", "", "x" * 65, "v1", "health", "ä", ".well-known"])
def test_apply_refuses_an_invalid_tenant_id(shared_installation, id):
    output = shared_installation.run("apply", "-", given=json.dumps({"tenants": [{"id": id}]}))
    assert output.code == 1 and "/tenants/0/id" in output.err


@pytest.mark.parametrize("entitlement", ["a|b", "a,b", "a b", "", "x" * 129, "ä", "a\n"])
def test_apply_refuses_an_invalid_entitlement(shared_installation, entitlement):
    catalog = {"tenants": [{"id": "sep", "products": [{"id": "p", "policies": [
        {"id": "pro", "entitlements": [entitlement]}]}]}]}
    output = shared_installation.run("apply", "-", given=json.dumps(catalog))
    assert output.code == 1 and "/tenants/0/products/0/policies/0/entitlements/0" in output.err
