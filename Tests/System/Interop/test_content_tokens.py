"""Tests tokens for third-party license servers, read by third-party libraries."""

import base64
import hashlib
import json
import time
from urllib.parse import parse_qs, urlparse

import jwt
import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from school import School, rule

KOLLUS = "tenure-kollus-test-security-key!"
SITE = {"siteId": "TUTO", "siteKey": "lU5D8s3PWoLls3PWFWkClULlFWk5D8oC", "accessKey": "LT2FVJDp2Xr018zf4Di6lzvNOv3DKP20"}
AXINOM = {"keyId": "aa0151d7-081c-4699-a049-fc584556c9d2", "key": "RPSdG/fViTkTjcuG3fcRXL2JDchGThWQ/tfSNHAoG+A="}
KEY = "7459975d-b2f8-48ed-a325-56e4f34d19c7"
DAY = 86_400


def school(vendor, *rules: dict) -> School:
    return School(
        vendor, *rules, kollus={"securityKey": KOLLUS, "customKey": "custom/1"}, doverunner=SITE, axinom=AXINOM)


def test_a_kollus_token_names_the_holder_and_the_contents(vendor):
    at = school(vendor)
    at.enrol()
    answer = at.ask("POST", "/tokens/kollus", {"holder": "ada", "contents": ["mck-1", "mck-2"], "download": True})
    assert answer.status == 200 and answer.headers["cache-control"] == "no-store"
    told = answer.json
    payload = jwt.decode(told["token"], KOLLUS, algorithms=["HS256"])
    assert payload == {"cuid": "ada", "expt": told["expiresAt"], "mc": [{"mckey": "mck-1"}, {"mckey": "mck-2"}]}
    assert abs(told["expiresAt"] - time.time() - 300) < 60
    query = parse_qs(urlparse(told["url"]).query, keep_blank_values=True)
    assert query == {"jwt": [told["token"]], "custom_key": ["custom/1"], "download": [""]}


@pytest.mark.parametrize("drm", ["Widevine", "PlayReady", "FairPlay", "NCG"])
def test_a_doverunner_token_has_the_end_date_of_the_grant(vendor, drm):
    at = school(vendor, rule(expiresAfterDays=10, grantedPlays=3, grantedPlaySeconds=None, deviceLimit=2))
    at.enrol()
    told = at.ask("POST", "/tokens/doverunner", {"holder": "ada", "content": "mck-1", "drm": drm}).json
    token = json.loads(base64.b64decode(told["token"]))
    assert (told["header"], token["drm_type"], token["user_id"], token["cid"]) == (
        "pallycon-customdata-v2", drm, "ada", "mck-1")
    sealed = Cipher(algorithms.AES(SITE["siteKey"].encode()), modes.CBC(b"0123456789abcdef")).decryptor()
    plain = sealed.update(base64.b64decode(token["policy"])) + sealed.finalize()
    policy = json.loads(plain[:-plain[-1]])
    assert policy["playback_policy"]["persistent"] is True
    end = time.strptime(policy["playback_policy"]["expire_date"], "%Y-%m-%dT%H:%M:%SZ")
    assert abs(time.mktime(end) - time.timezone - time.time() - 10 * DAY) < 3_700
    signed = SITE["accessKey"] + drm + "TUTO" + "ada" + "mck-1" + token["policy"] + token["timestamp"]
    assert token["hash"] == base64.b64encode(hashlib.sha256(signed.encode()).digest()).decode()
    assert set(told["notExpressed"]) == {"plays", "deviceLimit"}


def test_an_axinom_token_has_the_playback_window_and_expires_with_the_grant(vendor):
    at = school(vendor, rule(expiresAfterDays=10, windowAfterFirstPlayHours=48))
    at.enrol()
    told = at.ask("POST", "/tokens/axinom", {"holder": "ada", "content": "mck-1", "keyIds": [KEY.upper()]}).json
    payload = jwt.decode(told["token"], base64.b64decode(AXINOM["key"]), algorithms=["HS256"])
    assert payload["com_key_id"] == AXINOM["keyId"] and "iat" not in payload
    message = payload["message"]
    assert message["content_keys_source"] == {"inline": [{"id": KEY}]}
    assert message["license"]["allow_persistence"] is True
    assert message["license"]["widevine"] == {"playback_duration": 48 * 3_600}
    assert message["license"]["expiration_datetime"].endswith("+00:00")
    assert told["header"] == "X-AxDRM-Message" and abs(told["expiresAt"] - time.time() - 10 * DAY) < 60


def test_a_token_for_a_third_party_license_server_uses_no_activation_and_requires_an_open_enrolment(vendor):
    at = school(vendor, rule(deviceLimit=1))
    ask = {"holder": "ada", "content": "mck-1", "drm": "Widevine"}
    none = at.ask("POST", "/tokens/doverunner", ask)
    assert (none.status, none.codes) == (403, ["enrolment_unknown"])
    enrolment = at.enrol()
    assert at.ask("POST", "/tokens/doverunner", ask).status == 200
    assert at.enrolment(enrolment)["devices"] == 0
    has = at.tablet().has("mck-1")
    assert at.ask("POST", "/tokens/doverunner", ask).status == 200, "the one place is taken, and none is needed"
    at.stop(has["license"], "revoke")
    assert at.ask("POST", "/tokens/doverunner", ask).codes == ["content_license_revoked"]
    at.act(enrolment, "end")
    assert at.ask("POST", "/tokens/kollus", {"holder": "ada", "contents": ["mck-2"]}).codes == ["enrolment_ended"]


@pytest.mark.parametrize(("path", "body", "status"), [
    ("doverunner", {"holder": "a" * 33, "content": "mck-1", "drm": "Widevine"}, 422),
    ("doverunner", {"holder": "ada", "content": "mck-1", "drm": "widevine"}, 422),
    ("doverunner", {"holder": "ada", "content": "nothing", "drm": "Widevine"}, 404),
    ("axinom", {"holder": "ada", "content": "mck-1", "keyIds": []}, 422),
    ("axinom", {"holder": "ada", "content": "mck-1", "keyIds": ["x"]}, 422),
    ("axinom", {"holder": "ada", "content": "mck-1", "keyIds": KEY}, 422),
    ("kollus", {"holder": "ada", "contents": ["mck-1"] * 101}, 422),
    ("kollus", {"holder": "ada", "contents": ["mck-1"], "seconds": 0}, 422),
])
def test_an_invalid_request_for_a_third_party_license_servers_token_is_refused(vendor, path, body, status):
    at = school(vendor)
    at.enrol()
    at.enrol(holder="a" * 33)
    answer = at.ask("POST", f"/tokens/{path}", body)
    assert answer.status == status, answer


def test_no_third_party_token_is_created_without_a_configured_license_server_or_an_operators_token(vendor):
    at = School(vendor)
    at.enrol()
    body = {"holder": "ada", "content": "mck-1", "drm": "Widevine"}
    answer = at.ask("POST", "/tokens/doverunner", body)
    assert (answer.status, answer["code"]) == (404, "license_server_unknown")
    assert at.tablet().ask("POST", "/tokens/doverunner", body).status == 403


def test_the_command_content_check_lists_the_policy_rules_that_a_third_party_license_server_can_not_express(vendor):
    at = school(vendor, rule(grantedPlays=3, grantedPlaySeconds=None, checkInDays=7, deviceLimit=2))
    told = vendor.installation.do("content", "check", "--tenant", at.vendor.tenant, "--json").json["policies"]
    lost = {row["target"]: row["notExpressed"] for row in told if row["policy"] == "std"}
    assert lost == {
        "kollus": [], "doverunner": ["plays", "checkInBy", "deviceLimit"],
        "axinom": ["plays", "checkInBy", "deviceLimit"]}
    assert all(row["setUp"] for row in told)
    store = vendor.installation.database.read_bytes() if vendor.installation.database.exists() else b""
    for secret in (KOLLUS, SITE["siteKey"], SITE["accessKey"], AXINOM["key"]):
        assert secret.encode() not in store
