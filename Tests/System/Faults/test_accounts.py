"""Tests two accounts of one marketplace with the same e-mail address, which an earlier version allowed."""

import sqlite3

MARKET = {"tenants": [{"id": "acme", "marketplace": {
    "name": "Mart", "domain": "mart.example", "appleItemID": "6497405838", "bundleID": "com.example.mart",
    "accounts": [{"id": "ada", "email": "ada@example.com"}, {"id": "bob"}]}}]}


def test_doctor_reports_two_accounts_with_the_same_email_address(installation):
    installation.apply(MARKET)
    assert "no two accounts share an e-mail address" in installation.run("doctor").out
    refused = installation.run("account", "add", "bob", "--email", "ADA@example.com")
    assert refused.code == 1 and "ada already has this e-mail address" in refused.err
    # This name contains a control character, which must not reach the terminal.
    installation.do("account", "add", "eve\u202e")
    database = sqlite3.connect(installation.database)
    with database:
        database.execute("UPDATE accounts SET email = 'Ada@Example.com' WHERE account <> 'ada'")
    database.close()

    said = installation.run("doctor")
    assert said.code == 0 and "share an e-mail address; more such pairs: 1" in said.out and "ada" in said.out
    assert "\u202e" not in said.out
    assert installation.run("account", "add", "bob", "--email", "Ada@Example.com").code == 0
    shown = installation.run("account", "show", "eve\u202e", "--json")
    assert "\\u202e" in shown.out and "\u202e" not in shown.out and shown.json["id"] == "eve\u202e"
    assert "\u202e" not in installation.run("account", "show", "eve\u202e").out
