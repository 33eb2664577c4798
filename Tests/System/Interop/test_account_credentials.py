"""Tests that an account's credentials can be listed and ended."""

import threading
import uuid

import catalogs
import pytest
from vendor import Vendor

ENGINES = ("postgres",)


@pytest.fixture
def market(shared_installation, shared_server):
    """A tenant whose marketplace has accounts."""
    vendor = Vendor(shared_installation, shared_server)
    listed = catalogs.catalog(vendor.tenant)
    listed["tenants"][0]["marketplace"] = {
        "name": "Mart", "domain": f"{uuid.uuid4()}.example", "access": "token",
        "accounts": [{"id": "ada", "email": "ada@example.com"}, {"id": "bob"}]}
    shared_installation.apply(listed)
    return vendor


def account(market, *words: str):
    return market.installation.do("account", *words, "--tenant", market.tenant, "--json")


def test_the_list_of_an_accounts_credentials_contains_no_token_in_plain_text_and_shows_which_have_ended(market):
    texts = [account(market, "token", "ada").json["token"], account(market, "token", "ada", "--days", "9").json["token"]]
    account(market, "token", "bob")
    account(market, "link", "ada")
    answer = account(market, "credentials", "ada")
    listed = answer.json["credentials"]
    assert sorted(one["kind"] for one in listed) == ["link", "token", "token"]
    assert not any(text in answer.out for text in texts)
    assert {one["endedAt"] for one in listed} == {None}

    token = next(one for one in listed if one["kind"] == "token")
    for changed in (True, False):
        ended = market.installation.do("account", "end-credential", token["id"], "--json").json
        assert ended == {"credential": token["id"], "changed": changed}
    after = {one["id"]: one["endedAt"] for one in account(market, "credentials", "ada").json["credentials"]}
    assert after[token["id"]] and sum(1 for end in after.values() if end) == 1
    assert market.installation.run("account", "end-credential", "cred_0011223344556677").code == 1
    assert market.installation.run("account", "end-credential", "cred_zz").code == 1


def test_setting_an_accounts_password_ends_its_one_time_links_but_not_its_tokens(market, tmp_path):
    account(market, "token", "ada")
    account(market, "link", "ada")
    password = tmp_path / "password"
    for text, over in (("correct horse battery", True), ("correct horse battery staple", True)):
        password.write_text(text + "\n")
        account(market, "add", "ada", "--password-file", str(password))
        listed = account(market, "credentials", "ada").json["credentials"]
        assert {one["kind"]: bool(one["endedAt"]) for one in listed} == {"token": False, "link": over}


def test_of_three_concurrent_commands_that_add_accounts_with_one_email_address_only_one_succeeds(market):
    for attempt in range(4):
        email, codes = f"same{attempt}@example.com", []
        threads = [
            threading.Thread(target=lambda name=name: codes.append(market.installation.run(
                "account", "add", name, "--email", email.upper() if name.endswith("1") else email,
                "--tenant", market.tenant).code))
            for name in (f"p{attempt}0", f"p{attempt}1", f"p{attempt}2")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(codes) == [0, 1, 1]
