"""Tests that a license key works in every form in which a person may type it."""

import json
import uuid

import pytest
import tenure_app
from catalogs import fresh_key, license, product
from verifying import key_hash

MISREAD = {"0": "O", "1": "I"}


def minted(vendor) -> str:
    """A key issued by the server that contains a 0 and a 1, which people misread."""
    vendor.offer(product("notes", keyPrefix="NOTE"))
    while True:
        words = ["--tenant", vendor.tenant, "--product", "notes", "--policy", "pro", "--count", "100", "--json"]
        for issued in vendor.installation.do("license", "issue", *words).lines:
            if all(digit in issued["licenseKey"][4:] for digit in MISREAD):
                return issued["licenseKey"]


def test_an_issued_key_is_accepted_in_lower_case_with_spaces_or_with_letters_that_resemble_its_digits(vendor):
    key = minted(vendor)
    prefix, body = key[:4], key[4:]
    misread = prefix + body.replace("0", "O").replace("1", "I")
    typed = [
        key, key.lower(), f"  {key}\n", " ".join(key), key.replace("-", " - "), misread, misread.lower(),
        prefix + body.replace("1", "l").replace("0", "o"),
    ]
    app = vendor.app()
    instance = app.activated(key, machine_hash="ef" * 32)

    for text in typed:
        answer = app.activate(text, machine_hash="ef" * 32)
        assert (answer.status, answer.json.get("instance_id")) == (200, instance), (text, answer)
        assert answer["lease"]["licenseKeyHash"] == key_hash(key)
        validated = app.validate(text, instance)
        assert validated.status == 200 and validated["lease"]["licenseKeyHash"] == key_hash(key)
        assert vendor.installation.show(text)["id"] == vendor.installation.show(key)["id"]


def full_width(text: str) -> str:
    return "".join(chr(ord(letter) + 0xFEE0) for letter in text)


@pytest.mark.parametrize("form", [
    full_width, lambda key: key + key, lambda key: f"{key}\n{key}\n", lambda key: f"[{key}]", lambda key: f"(„{key}“)!",
    lambda key: key.replace("-", "_"), lambda key: key.replace("-", "."), lambda key: key[5:],
    lambda key: key[5:].replace("-", ""), lambda key: key.replace("1", "\N{LATIN SMALL LETTER DOTLESS I}"),
    lambda key: key.replace("1", "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}")])
def test_an_issued_key_is_accepted_in_full_width_letters_or_pasted_twice_or_with_other_separators(vendor, form):
    key, app = minted(vendor), vendor.app()
    text = form(key)
    answer = app.activate(text, machine_hash="ef" * 32)

    assert answer.status == 200 and answer["lease"]["licenseKeyHash"] == key_hash(text)
    assert app.validate(text, answer["instance_id"])["lease"]["licenseKeyHash"] == key_hash(text)
    assert app.validate(key, answer["instance_id"]).status == 200
    assert app.deactivate(answer["instance_id"], license_key=text).status == 200


def test_an_issued_key_without_its_prefix_is_accepted_only_for_its_own_product(vendor):
    key = minted(vendor)
    vendor.offer(product("notes", keyPrefix="NOTE"), product("mart", keyPrefix="MART"))

    assert vendor.app("mart").activate(key[5:]).status == 404
    assert vendor.app("notes").activate(key[5:]).status == 200


def test_an_issued_key_with_one_wrong_character_is_unknown(vendor):
    key = minted(vendor)
    for place in range(5, len(key)):
        if key[place] != "-":
            wrong = key[:place] + ("2" if key[place] != "2" else "3") + key[place + 1:]
            assert vendor.app().activate(wrong).status == 404


@pytest.mark.parametrize("text", ["ABCD-I0O1-XYZ", "schlüssel-ß-1234", "a", "one two three", "K\u00adY-12345678"])
def test_an_imported_key_is_accepted_in_either_letter_case_and_hashed_in_its_normal_form(vendor, text):
    vendor.offer(product(licenses=[license(text)]))

    answer = vendor.app().activate(text)
    assert answer.status == 200 and answer["lease"]["licenseKeyHash"] == key_hash(text)
    ascii_lower = "".join(letter.lower() if letter.isascii() else letter for letter in text)
    assert vendor.app().activate(" " + ascii_lower + "\t").status == 200


def test_an_imported_key_may_have_4096_bytes(vendor):
    """Some licensing systems put a signature into each key, which makes the keys that long."""
    key = "-".join(uuid.uuid4().hex for _ in range(124)) + "-9ZX7"
    assert len(key) == 4096
    vendor.offer(product("notes", keyPrefix="NOTE", licenses=[license(key)]))
    app, phone = vendor.app(), tenure_app.app(vendor)

    answer = app.activate(key)
    assert answer.status == 200 and answer["lease"]["licenseKeyHash"] == key_hash(key)
    assert app.validate(key, answer["instance_id"]).json["valid"] is True
    assert app.deactivate(answer["instance_id"], license_key=key).status == 200
    answer, lease, _ = phone.ask("activate", "lease", key, name="Phone")
    assert answer.status == 200
    _, renewed, _ = phone.ask("renew", "lease", key, activation=lease["activation"])
    assert renewed["license"] == lease["license"]
    shown = vendor.installation.show(key)
    assert shown["key"] == "****-****-****-****-****-****-9ZX7"
    assert vendor.license("show", "9ZX7", "--json").json["id"] == shown["id"]

    assert app.activate(key[:-1] + "8").status == 404
    assert app.activate(key + "A").status == 400


def test_an_imported_key_with_a_letter_replaced_by_a_similar_digit_is_unknown(vendor):
    vendor.offer(product(licenses=[license("ABCD-I0O1-XYZ"), license("GOOD-0000-1111-2222-OOOO")]))

    assert vendor.app().activate("ABCD-10O1-XYZ").status == 404
    assert vendor.app().activate("GOOD-0000-1111-2222-0000").status == 404


def test_an_exactly_typed_license_key_takes_precedence_over_another_that_only_looks_like_it(vendor):
    vendor.offer(product(licenses=[license("NOTE-0000-1111-2222-OOOO"), license("NOTE-0000-1111-2222-0000")]))
    app = vendor.app()

    assert app.activate("NOTE-0000-1111-2222-OOOO")["lease"]["licenseKeyHash"] == key_hash("NOTE-0000-1111-2222-OOOO")
    assert app.activate("NOTE-OOOO-1111-2222-OOOO")["lease"]["licenseKeyHash"] == key_hash("NOTE-0000-1111-2222-0000")


@pytest.mark.parametrize("pasted", [
    "\N{NO-BREAK SPACE}{}-{}-{}", "{}\N{NON-BREAKING HYPHEN}{}\N{EN DASH}{}", "\N{ZERO WIDTH NO-BREAK SPACE}{}-{}-{}",
    "{}-{}\N{SOFT HYPHEN}-{}\N{ZERO WIDTH SPACE}", "{}\N{MINUS SIGN}{}\N{FULLWIDTH HYPHEN-MINUS}{}"])
def test_an_imported_key_pasted_with_other_hyphens_and_invisible_characters_is_found(vendor, pasted):
    groups = [uuid.uuid4().hex[:6].upper() for _ in range(3)]
    vendor.offer(product(licenses=[license("-".join(groups))]))
    text, app = pasted.format(*groups), vendor.app()
    answer = app.activate(text)

    assert answer.status == 200 and answer["lease"]["licenseKeyHash"] == key_hash(text)
    assert app.validate(text, answer["instance_id"])["lease"]["licenseKeyHash"] == key_hash(text)
    assert app.validate("-".join(groups), answer["instance_id"]).status == 200
    assert vendor.license("show", text, "--json")


def test_a_catalog_with_two_license_keys_of_the_same_normal_form_is_refused(vendor):
    key = fresh_key()
    catalog = {"tenants": [{"id": vendor.tenant, "products": [
        product(licenses=[license(key), license(f" {key.lower()} ")])]}]}

    output = vendor.installation.run("apply", "-", given=json.dumps(catalog))
    assert output.code == 1 and "/tenants/0/products/0/licenses/1" in output.err


def test_an_issued_key_consists_of_the_products_prefix_and_four_groups_of_four_characters(vendor):
    vendor.offer(product("notes", keyPrefix="AB12"))
    issued = vendor.installation.issue(vendor.tenant, "notes", "pro")
    prefix, *groups = issued["licenseKey"].split("-")

    assert prefix == "AB12" and [len(group) for group in groups] == [4, 4, 4, 4]
    assert set("".join(groups)) <= set("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    assert issued["key"] == f"AB12-****-****-****-{groups[-1]}"
