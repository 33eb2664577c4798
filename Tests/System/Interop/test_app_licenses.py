"""Tests app licenses with a device that is written from the published formats alone."""

import base64
import json
import os
import time

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding

from installation import Installation
from mart import Mart
from phone import blob_digest, path_of
from waiting import eventually

DAY = 86_400


@pytest.fixture
def mart(shared_installation, shared_server):
    return Mart(shared_installation, shared_server)


@pytest.fixture
def members_only(shared_installation, shared_server):
    return Mart(shared_installation, shared_server, access="token")


def test_the_marketplaces_configuration_contains_the_url_of_each_endpoint(mart):
    configuration = mart.phone().configuration
    assert set(configuration) == {"license", "restore", "updates"}
    assert set(configuration["license"]) == {
        "dynamicLicenseURL", "licenseRenewalURL", "licenseResolutionURL", "signingCertificateURL",
        "encryptionCertificateURL"}
    assert configuration["updates"]["pollingInterval"] == 24
    for url in configuration["license"].values():
        assert url.startswith(f"https://{mart.domain}/")


def test_the_marketplaces_certificates_contain_rsa_keys_of_3072_bits(mart):
    for name in ("signingCertificateURL", "encryptionCertificateURL"):
        key = mart.phone().certificate(name).public_key()
        assert isinstance(key, rsa.RSAPublicKey) and key.key_size == 3072


def test_if_one_of_three_app_licenses_is_revoked_only_that_one_is_ineligible_for_renewal(mart):
    phone = mart.phone()
    before = int(time.time())
    created = phone.ask(mart.apps)
    assert created.json["unlicensedApps"] == []
    licenses = phone.read(created)["licenses"]
    assert len(licenses) == 3
    by_item = {int(license["appKeys"][0]["appleItemID"]): license for license in licenses}
    for item, (_, asset) in mart.apps.items():
        license = by_item[item]
        assert license["appKeys"] == [
            {"appleItemID": str(item), "keyBlobSHA256": blob_digest(mart.blobs[asset])}]
        assert 0 < int(license["licenseID"]) < 2**63 - 1
        assert before <= license["issuedTime"] <= int(time.time())
        assert 27 * DAY <= license["duration"] <= 33 * DAY
    ids = [by_item[item]["licenseID"] for item in mart.items]

    mart.do("license", "revoke", ids[1])
    renewed = phone.renew(*ids)
    assert renewed["ineligibleLicenses"] == [ids[1]]
    body = phone.read(renewed)
    assert sorted(license["licenseID"] for license in body["licenses"]) == sorted([ids[0], ids[2]])


@pytest.mark.parametrize("act", ["revoke", "return"])
def test_revoking_or_returning_an_app_license_also_ends_the_devices_earlier_licenses_of_that_app(members_only, act):
    item = members_only.items[0]
    app = {item: members_only.apps[item]}
    token = members_only.account("ada", item)
    phone, *others = [members_only.phone(token) for _ in range(3)]
    ids = [phone.read(phone.ask(app))["licenses"][0]["licenseID"] for _ in range(11)]
    assert len(others[0].read(others[0].ask(app))["licenses"]) == 1
    listed = members_only.do("license", "list", "--apps", "--json").json["licenses"]
    assert len(listed) == 2
    assert len(members_only.do("license", "list", "--apps", "--replaced", "--json").json["licenses"]) == 12
    assert others[1].ask(app).json["unlicensedApps"] == [str(item)]

    done = members_only.do("license", act, ids[-1])
    assert "changed 11 licenses: the device had earlier ones of this app" in done.err
    assert sorted(phone.renew(*ids)["ineligibleLicenses"]) == sorted(ids)
    assert others[1].ask(app).json["unlicensedApps"] == []
    assert "nothing changed" in members_only.do("license", act, ids[-1]).err


def test_a_repeated_request_for_app_licenses_gets_the_same_licenses(mart):
    phone = mart.phone()
    first, again = phone.ask(mart.apps, number=77), phone.ask(mart.apps, number=77)
    assert phone.read(first)["licenses"] == phone.read(again)["licenses"]
    assert phone.read(phone.ask(mart.apps, number=78))["licenses"] != phone.read(first)["licenses"]


def test_the_durations_of_licenses_of_one_app_vary_between_devices(mart):
    item = mart.items[0]
    durations = {
        mart_phone.read(mart_phone.ask({item: mart.apps[item]}))["licenses"][0]["duration"]
        for mart_phone in (mart.phone() for _ in range(8))}
    assert len(durations) > 1


@pytest.mark.parametrize("version_name", ["appleVersionId", "appleVersionID"])
@pytest.mark.parametrize("as_number", [False, True])
def test_a_license_request_may_contain_apple_version_id_in_either_spelling_and_as_text_or_number(
        mart, version_name, as_number):
    item = mart.items[0]
    version, asset = mart.apps[item]
    phone = mart.phone()
    answer = phone.ask({item: (int(version) if as_number else version, asset)}, version_name=version_name)
    assert len(phone.read(answer)["licenses"]) == 1


def test_the_response_to_a_request_for_app_licenses_lists_the_refused_apps(mart):
    item, other, third = mart.items
    phone = mart.phone()
    answer = phone.ask({
        item: mart.apps[item], other: ("1", mart.apps[other][1]), third: (mart.apps[third][0], "no-such-asset"),
        99: ("1", "x")})
    assert answer["unlicensedApps"] == sorted([str(other), str(third), "99"])
    assert len(phone.read(answer)["licenses"]) == 1


def test_only_apps_in_both_the_plain_and_the_encrypted_part_of_a_license_request_are_licensed(mart):
    item, other, third = mart.items
    phone = mart.phone()
    answer = phone.ask({item: mart.apps[item], other: mart.apps[other]}, sealed_items=[item, third])
    assert answer["unlicensedApps"] == sorted([str(other), str(third)])
    assert len(phone.read(answer)["licenses"]) == 1


def test_a_refusal_of_all_apps_is_a_signed_response_without_licenses(mart):
    phone = mart.phone()
    assert phone.read(phone.ask({99: ("1", "x")}))["licenses"] == []
    renewed = phone.renew(12345)
    assert renewed["ineligibleLicenses"] == ["12345"] and phone.read(renewed)["licenses"] == []


def test_an_app_license_is_ineligible_for_renewal_by_another_device(mart):
    mine, yours = mart.phone(), mart.phone()
    license = mine.read(mine.ask(mart.apps))["licenses"][0]["licenseID"]
    assert yours.renew(license)["ineligibleLicenses"] == [license]
    assert mine.renew(license)["ineligibleLicenses"] == []


def test_an_app_license_that_is_listed_twice_in_a_renewal_of_200_ids_is_renewed_once(mart):
    phone = mart.phone()
    license = phone.read(phone.ask(mart.apps))["licenses"][0]["licenseID"]
    answer = phone.renew(license, license, *range(1, 200))
    assert len(phone.read(answer)["licenses"]) == 1
    assert answer["ineligibleLicenses"] == [str(number) for number in range(1, 200)]


def test_a_suspended_app_license_is_ineligible_for_renewal_until_it_is_reinstated(mart):
    phone = mart.phone()
    license = phone.read(phone.ask({mart.items[0]: mart.apps[mart.items[0]]}))["licenses"][0]["licenseID"]
    mart.do("license", "suspend", license)
    assert phone.renew(license)["ineligibleLicenses"] == [license]
    mart.do("license", "reinstate", license)
    assert phone.renew(license)["ineligibleLicenses"] == []


def test_an_account_gets_licenses_only_within_its_grants_and_its_device_limit(members_only):
    mart = members_only
    item = mart.items[0]
    app = {item: mart.apps[item]}
    assert mart.phone().ask(app).status == 401
    assert mart.phone("wrong").ask(app).status == 403
    token = mart.account("ada", item)
    first, second, third = mart.phone(token), mart.phone(token), mart.phone(token)

    answer = first.ask(mart.apps)
    assert answer["unlicensedApps"] == sorted(str(other) for other in mart.items[1:])
    license = first.read(answer)["licenses"][0]["licenseID"]
    assert second.ask(app)["unlicensedApps"] == []
    assert third.ask(app)["unlicensedApps"] == [str(item)]

    mart.do("license", "revoke", license)
    assert third.ask(app)["unlicensedApps"] == []

    mart.do("account", "end", "ada", "--item", str(item))
    known = [str(entry["licenseID"]) for entry in state(second, mart)["licenses"]]
    assert len(known) == 3 and str(license) in known
    # One license is revoked, one belongs to another device, and the account's grant has ended.
    assert sorted(second.renew(*map(int, known))["ineligibleLicenses"]) == sorted(known)


def state(phone, mart, since: str = "0") -> dict:
    answer = phone.client.get(
        f"/marketplace/{mart.tenant}/licenses/state?since={since}", {"Authorization": f"Bearer {phone.token}"})
    assert answer.status == 200, answer
    return answer.json


def test_the_state_endpoint_lists_the_app_licenses_to_renew_with_the_cause(home):
    installation = Installation(home).moves_time()
    with installation.serving() as server:
        mart = Mart(installation, server, access="token", durationDays=5, jitterPercent=0, renewAheadDays=2)
        item, other, _ = mart.items
        phone = mart.phone(mart.account("ada", item, other))
        first = phone.read(phone.ask({item: mart.apps[item]}))["licenses"][0]["licenseID"]
        told = state(phone, mart)
        # The license was issued after the grant, so the grant doesn't require a renewal.
        assert told["renew"] == []
        assert [(entry["licenseID"], entry["cause"]) for entry in told["licenses"]] == [(first, None)]
        mart.do("account", "end", "ada", "--item", str(item))
        mart.do("account", "grant", "ada", "--item", str(item))
        told = state(phone, mart, told["cursor"])
        assert [(entry["licenseID"], entry["cause"]) for entry in told["licenses"]] == [(first, "changed")]
        assert state(phone, mart, told["cursor"])["renew"] == []

        installation.set_clock(3 * DAY + 60)
        due = eventually(lambda: state(phone, mart, told["cursor"]), lambda news: news["renew"])
        assert due["renew"] == [str(item)]
        assert [(entry["licenseID"], entry["cause"]) for entry in due["licenses"]] == [(first, "due")]

        mart.do("license", "suspend", first)
        stopped = state(phone, mart, due["cursor"])
        assert [(entry["state"], entry["cause"]) for entry in stopped["licenses"]] == [("suspended", "stopped")]
        assert phone.client.get(f"/marketplace/{mart.tenant}/licenses/state").status == 401


def unreadable_envelopes(phone):
    """Envelopes that the server can't read, with one defect each, by the name of the defect."""
    plain = json.dumps(phone.request("renew", (), [1])).encode()
    request, key = phone.seal(plain)
    raw, wrapped = base64.b64decode(request), base64.b64decode(key)
    public = phone.certificate("encryptionCertificateURL").public_key()
    oaep = padding.OAEP(padding.MGF1(hashes.SHA256()), hashes.SHA256(), None)
    encode = lambda data: base64.b64encode(data).decode()
    other = rsa.generate_private_key(65537, 3072).public_key()
    secret = os.urandom(32)
    sealed_again, _ = phone.seal(plain, secret)
    return {
        "request key of 383 bytes": (request, encode(wrapped[:383])),
        "request key of 385 bytes": (request, encode(wrapped + b"\0")),
        "request key with white space": (request, key[:40] + "\n" + key[40:]),
        "request key in base64url": (request, key.replace("+", "-").replace("/", "_") + "-_"),
        "request key without padding": (request + "A", key),
        "empty request key": (request, ""),
        "OAEP with SHA-1": (request, encode(public.encrypt(
            secret, padding.OAEP(padding.MGF1(hashes.SHA1()), hashes.SHA1(), None)))),
        "PKCS#1 v1.5": (request, encode(public.encrypt(secret, padding.PKCS1v15()))),
        "secret of 31 bytes": (request, encode(public.encrypt(os.urandom(31), oaep))),
        "secret of 33 bytes": (request, encode(public.encrypt(os.urandom(33), oaep))),
        "another server's key": (request, encode(other.encrypt(secret, oaep))),
        "another secret": (request, encode(public.encrypt(os.urandom(32), oaep))),
        "wrong initialization vector": (
            sealed_again, encode(public.encrypt(secret[:16] + os.urandom(16), oaep))),
        "truncated to half a block": (encode(raw[:-8]), key),
        "truncated by a block": (encode(raw[:-16]), key),
        "empty request": ("", key),
        "flipped padding": (encode(raw[:-1] + bytes([raw[-1] ^ 1])), key),
        "garbage inside": (*phone.seal(b"\xff" * 100),),
        "another action": (*phone.seal(json.dumps(phone.request("create", [1])).encode()),),
    }


def test_unreadable_encrypted_requests_for_app_licenses_get_the_same_response(mart):
    phone = mart.phone()
    answers = {
        name: phone.post("licenseRenewalURL", {"renewalRequest": request, "licenseKey": key})
        for name, (request, key) in unreadable_envelopes(phone).items()}
    assert {name: answer.status for name, answer in answers.items()} == dict.fromkeys(answers, 400)
    assert len({answer.body for answer in answers.values()}) == 1
    shapes = {tuple(sorted(name for name in answer.headers)) for answer in answers.values()}
    assert len(shapes) == 1
    assert next(iter(answers.values()))["code"] == "request_unreadable"


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"licenseRequest":1}', b'{"licenseRequest":"","licenseKey":""}',
                                  b'{"licenseRequest":"","licenseKey":"","appsById":[]}',
                                  b'{"licenseRequest":"","licenseKey":"","appsById":{"x":{}}}',
                                  b'{"licenseRequest":"","licenseKey":"","appsById":{"1":{"appleVersionId":{}}}}'])
def test_a_malformed_license_request_gets_400_with_a_json_or_field_error_code(mart, body):
    phone = mart.phone()
    path = path_of(phone.configuration["license"]["dynamicLicenseURL"])
    answer = mart.server.client.ask("POST", path, body)
    assert answer.status == 400 and answer["code"].startswith(("json_", "field_"))


def test_a_renewal_request_encrypted_with_a_marketplaces_previous_certificate_is_still_accepted(home):
    installation = Installation(home).moves_time()
    with installation.serving() as server:
        mart = Mart(installation, server)
        phone = mart.phone()
        before = phone.configuration["license"]
        envelope = phone.seal(json.dumps(phone.request("renew", (), [5])).encode())
        mart.do("marketplace", "rotate")
        assert phone.configuration["license"] == before
        installation.set_clock(310)
        places = eventually(
            lambda: phone.configuration,
            lambda news: news["license"]["signingCertificateURL"] != before["signingCertificateURL"])
        after = places["license"]
        assert after["signingCertificateURL"] != before["signingCertificateURL"]
        assert after["encryptionCertificateURL"] != before["encryptionCertificateURL"]
        answer = phone.post("licenseRenewalURL", dict(zip(("renewalRequest", "licenseKey"), envelope)))
        assert phone.read(answer)["licenses"] == [] and answer["ineligibleLicenses"] == ["5"]
        for url in before.values():
            if "certificates" in url:
                assert server.client.get(path_of(url)).status == 200


def test_a_withdrawn_app_gets_no_new_licenses_and_existing_ones_are_renewed_unless_takedowns_revoke_them(
        shared_installation, shared_server):
    mart = Mart(shared_installation, shared_server)
    kept, gone, _ = mart.items
    phone = mart.phone()
    ids = {
        license["appKeys"][0]["appleItemID"]: license["licenseID"]
        for license in phone.read(phone.ask(mart.apps))["licenses"]}
    mart.changes = {
        kept: {"withdrawn": True},
        gone: {"withdrawn": True, "license": mart.rules | {"revokeOnTakedown": True}}}
    mart.apply()
    assert mart.phone().ask(mart.apps)["unlicensedApps"] == sorted([str(kept), str(gone)])
    assert phone.renew(*ids.values())["ineligibleLicenses"] == [ids[str(gone)]]
