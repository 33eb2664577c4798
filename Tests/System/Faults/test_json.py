"""Tests request bodies that are not the expected JSON."""

import json

import pytest

JSON = {"Content-Type": "application/json"}
ACTIONS = ["activate", "validate", "deactivate", "keyless"]


def nested(depth: int) -> bytes:
    return b'{"x":' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}"


MALFORMED = {
    "empty": b"", "white space": b" \n", "not JSON": b"license_key=1", "two values": b"{} {}", "text": b'"text"',
    "number": b"1", "null": b"null", "list": b"[]", "no colon": b'{"a" 1}', "trailing comma": b'{"a":1,}',
    "single quotes": b"{'a':1}", "comment": b'{"a":1}//x', "NaN": b'{"a":NaN}', "leading zero": b'{"a":01}',
    "control character": b'{"a":"\x01"}', "bad escape": b'{"a":"\\x41"}', "half a surrogate": b'{"a":"\\ud800"}',
    "duplicate": b'{"license_key":"A","license_key":"B","instance_name":"x"}',
    "escaped duplicate": b'{"license_key":"A","license\\u005fkey":"B"}',
    "inner duplicate": b'{"x":{"y":1,"y":2}}', "not UTF-8": b'{"a":"\xff"}', "overlong": b'{"a":"\xc0\xaf"}',
    "UTF-8 surrogate": b'{"a":"\xed\xa0\x80"}', "cut UTF-8": b'{"a":"\xe2\x82"}', "NUL": b'{"a":1}\x00',
    "byte order mark": b"\xef\xbb\xbf{}", "UTF-16": '{"a":1}'.encode("utf-16"), "deep": nested(33),
    "very deep": nested(8_000), "unclosed and deep": b'{"x":' + b"[" * 16_000,
}


@pytest.mark.parametrize("fault", MALFORMED)
def test_an_apps_request_with_a_malformed_body_gets_400(vendor, fault):
    vendor.offer()
    for action in ACTIONS:
        answer = vendor.server.client.ask("POST", f"/{vendor.tenant}/notes/{action}", MALFORMED[fault], JSON)
        assert answer.status == 400, (action, answer)
        assert answer["code"].startswith("json_") and answer["error"]


def test_an_activation_request_whose_body_is_truncated_anywhere_gets_400(vendor):
    key = vendor.offer_license()
    whole = json.dumps({"license_key": key, "instance_name": "Küche \N{KEY}"}, ensure_ascii=False).encode()

    for length in range(len(whole)):
        answer = vendor.server.client.ask("POST", f"/{vendor.tenant}/notes/activate", whole[:length], JSON)
        assert answer.status == 400, (length, answer)
    assert vendor.server.client.ask("POST", f"/{vendor.tenant}/notes/activate", whole, JSON).status == 200


def test_a_nested_unknown_member_within_the_depth_limit_is_ignored(vendor):
    key = vendor.offer_license()
    body = nested(32)[:-1] + f', "license_key": "{key}", "instance_name": "x"}}'.encode()

    assert vendor.server.client.ask("POST", f"/{vendor.tenant}/notes/activate", body, JSON).status == 200


def test_unknown_members_of_an_activation_request_are_ignored(vendor):
    key = vendor.offer_license()
    assert vendor.app().activate(key, nonsense={"a": [1, None, True, 1e300]}, machine_hash=None).status == 200


@pytest.mark.parametrize("action, members, code", [
    ("activate", {}, "field_missing"), ("activate", {"license_key": "K"}, "field_missing"),
    ("activate", {"instance_name": "x"}, "field_missing"),
    ("activate", {"license_key": "", "instance_name": "x"}, "field_missing"),
    ("activate", {"license_key": " \t", "instance_name": "x"}, "field_missing"),
    ("activate", {"license_key": None, "instance_name": "x"}, "field_missing"),
    ("activate", {"license_key": 1, "instance_name": "x"}, "field_invalid"),
    ("activate", {"license_key": ["K"], "instance_name": "x"}, "field_invalid"),
    ("activate", {"license_key": {"K": 1}, "instance_name": "x"}, "field_invalid"),
    ("activate", {"license_key": "K" * 4097, "instance_name": "x"}, "field_invalid"),
    ("activate", {"license_key": "K", "instance_name": 7}, "field_invalid"),
    ("activate", {"license_key": "K", "instance_name": None}, "field_missing"),
    ("activate", {"license_key": "K", "instance_name": "x", "machine_hash": "a" * 257}, "field_invalid"),
    ("activate", {"license_key": "K", "instance_name": "x", "machine_hash": True}, "field_invalid"),
    ("validate", {"license_key": "K"}, "field_missing"), ("validate", {"instance_id": "x"}, "field_missing"),
    ("validate", {"license_key": "K", "instance_id": 7}, "field_invalid"),
    ("deactivate", {}, "field_missing"), ("deactivate", {"license_key": "K"}, "field_missing"),
    ("deactivate", {"instance_id": False}, "field_invalid"), ("keyless", {"state": "trial"}, "field_missing"),
    ("keyless", {"instance_id": "x", "state": "paid"}, "field_invalid"),
])
def test_an_apps_request_with_a_missing_or_wrong_member_gets_400(vendor, action, members, code):
    vendor.offer()
    answer = vendor.server.client.post(f"/{vendor.tenant}/notes/{action}", members)

    assert (answer.status, answer["code"]) == (400, code)


@pytest.mark.parametrize("type, status", [
    ("text/plain", 415), ("application/x-www-form-urlencoded", 415), ("application/jsonp", 415), ("", 415),
    ("application/json", 200), ("application/json; charset=utf-8", 200), ("Application/JSON", 200),
])
def test_a_body_with_a_content_type_other_than_json_gets_415(vendor, type, status):
    key = vendor.offer_license()
    body = json.dumps({"license_key": key, "instance_name": "x"}).encode()
    answer = vendor.server.client.ask("POST", f"/{vendor.tenant}/notes/activate", body, {"Content-Type": type})

    assert answer.status == status, answer


@pytest.mark.parametrize("size, status", [
    ((16 << 10) - 1, 200), (16 << 10, 200), ((16 << 10) + 1, 413), (1 << 20, 413), ((1 << 20) + 1, 413), (3 << 20, 413)])
def test_the_body_of_an_apps_request_may_have_at_most_16_kibibytes(vendor, size, status):
    key = vendor.offer_license()
    start = f'{{"license_key": "{key}", "instance_name": "x", "filling": "'.encode()
    body = start + b"x" * (size - len(start) - 2) + b'"}'
    answer = vendor.server.client.ask("POST", f"/{vendor.tenant}/notes/activate", body, JSON)

    assert answer.status == status and len(body) == size
    assert answer.headers["access-control-allow-origin"] == "*"
    if status == 413:
        assert answer["code"] == "body_too_large"


def test_malformed_requests_use_no_activation(vendor):
    key = vendor.offer_license()
    for body in (b'{"license_key":"%s","instance_name":"x"' % key.encode(), b'{"license_key":"%s"}' % key.encode()):
        vendor.server.client.ask("POST", f"/{vendor.tenant}/notes/activate", body, JSON)
    assert vendor.installation.show(key)["activations"] == []
