"""Checks the budget of each kind of request: allocations, their bytes, and system calls. Nothing is timed.

`make budgets` runs these tests on the optimised build. Lower a budget that has room to spare.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest
from catalogs import fresh_key, license, policy, product
from counting import Cost
from mart import Mart
from school import School
from tenure_app import app, new_nonce
from vendor import Vendor

BUDGETS = json.loads(Path(__file__).with_name("budgets.json").read_text())
# An optional folder. If it's set, the tests write a file for each kind of request with the call stacks that allocate.
SITES = os.environ.get("SITES")
COUNT = 330


@dataclass
class Kind:
    """Requests of one kind, each with method, path, body and header fields. Each must return status 200."""

    requests: list[tuple]
    # Whether the same requests may be sent again.
    again: bool = False


@pytest.fixture
def vendor(installation, server):
    return Vendor(installation, server)


def post(path: str, members: dict, headers: dict | None = None) -> tuple:
    return "POST", path, json.dumps(members).encode(), {"Content-Type": "application/json"} | (headers or {})


def health(vendor):
    return Kind([("GET", "/health", None, {})] * COUNT, again=True)


def refresh(vendor):
    key = vendor.offer_license()
    instance = vendor.app().activated(key)
    return Kind([
        post(f"/{vendor.tenant}/notes/validate", {"license_key": key, "instance_id": instance})] * COUNT, again=True)


def refresh_of_a_license_with_address(vendor):
    key = vendor.offer_license(holderEmail="ada.lovelace@shop.example", holderName="Ada Countess of Lovelace")
    instance = vendor.app().activated(key)
    return Kind([
        post(f"/{vendor.tenant}/notes/validate", {"license_key": key, "instance_id": instance})] * COUNT, again=True)


def refresh_of_a_lease(vendor):
    key = vendor.offer_license()
    laptop = app(vendor)
    activation = laptop.ask("activate", "lease", key)[1]["activation"]
    return Kind([
        post(f"/v1/{vendor.tenant}/notes/leases/renew", {
            "nonce": new_nonce(), "device": laptop.device, "licenseKey": key, "activation": activation})
        for _ in range(COUNT)], again=True)


def offered(vendor, count: int) -> list[str]:
    keys = [fresh_key() for _ in range(count)]
    vendor.offer(product(policies=[policy()], licenses=[license(key) for key in keys]))
    return keys


def activation(vendor):
    return Kind([
        post(f"/{vendor.tenant}/notes/activate", {"license_key": key, "instance_name": "Laptop"})
        for key in offered(vendor, COUNT)])


def deactivation(vendor):
    return Kind([
        post(f"/{vendor.tenant}/notes/deactivate", {"instance_id": vendor.app().activated(key)})
        for key in offered(vendor, COUNT)])


def list_of_licenses(vendor):
    offered(vendor, 120)
    token = vendor.installation.do(
        "token", "create", "--tenant", vendor.tenant, "--scope", "licenses:read", "--name", "list", "--json").json["token"]
    return Kind([
        ("GET", f"/v1/{vendor.tenant}/licenses?limit=100", None, {"Authorization": f"Bearer {token}"})]
        * COUNT, again=True)


def renewals(vendor, ids: int, count: int) -> Kind:
    mart = Mart(vendor.installation, vendor.server, apps=ids)
    secret = os.urandom(32)
    requests = []
    # A phone may renew 5,000 licenses an hour.
    for start in range(0, count, 20):
        phone = mart.phone()
        licenses = [one["licenseID"] for one in phone.read(phone.ask(mart.apps))["licenses"]]
        path = "/" + phone.configuration["license"]["licenseRenewalURL"].split("://", 1)[1].split("/", 1)[1]
        for _ in range(start, min(count, start + 20)):
            request, key = phone.seal(json.dumps(phone.request("renew", (), licenses)).encode(), secret)
            requests.append(post(path, {"renewalRequest": request, "licenseKey": key}))
    return Kind(requests)


def renewal_of_one_app_license(vendor):
    return renewals(vendor, 1, 90)


def renewal_of_200_app_licenses(vendor):
    return renewals(vendor, 200, 60)


def renewal_of_a_content(vendor):
    school = School(vendor)
    school.enrol()
    tablet = school.tablet()
    had = tablet.has("mck-1")
    return Kind([
        post(f"{school.base}/renewals", {
            "requestId": f"budget-{number}", "when": "due",
            "items": [{"license": had["license"], "version": had["version"], "grant": had["grant"]}]},
            {"Authorization": f"Bearer {tablet.token}"})
        for number in range(COUNT)])


KINDS = [health, refresh, refresh_of_a_license_with_address, refresh_of_a_lease, activation, deactivation, list_of_licenses,
         renewal_of_one_app_license, renewal_of_200_app_licenses, renewal_of_a_content]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_each_kind_of_request_stays_within_its_budget_of_allocations_bytes_and_system_calls(installation, server, vendor, kind):
    made, client = kind(vendor), server.client

    def send(request):
        answer = client.ask(*request)
        assert answer.status == 200, answer

    if SITES:
        for request in made.requests[:30]:
            send(request)
        table = installation.sites(server.pid, made.requests[30:], send)
        Path(SITES, f"{kind.__name__}.txt").write_text(table + "\n")
        return
    budget = Cost(**BUDGETS[kind.__name__])
    cost = installation.cost(made.requests, send, budget, made.again)
    print(f"{kind.__name__}: {cost}")
    assert cost.keeps(budget), f"{kind.__name__} takes {cost}; its budget is {budget}"
