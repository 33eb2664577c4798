"""Tests that commands find a license by its key, order or holder, and ask before they act on a partial match."""

import os
import pty
import subprocess
from datetime import datetime, timedelta, timezone

import pytest
from catalogs import catalog, license, policy, product
from installation import Installation


@pytest.fixture
def installation(home):
    return Installation(home)


@pytest.fixture
def shop(installation):
    installation.apply(catalog("acme", product(keyPrefix="NOTE")))
    holders = (("--holder", "ada@example.com", "--order", "A-17"), ("--holder", "adam@example.com"))
    return installation, [installation.issue("acme", "notes", "pro", *holder) for holder in holders]


def test_a_license_is_found_by_its_key_id_order_or_a_part_of_its_holder(shop):
    installation, (ada, _) = shop
    key = ada["licenseKey"]
    for text in (key, key.lower(), key.replace("-", "") + ".", f"“{key}”", ada["id"], ada["key"], key[-4:], f"...{key[-4:]}", "A-17",
                 "ada@", "ada@example.com"):
        assert installation.do("license", "show", text, "--json").json["id"] == ada["id"], text
        assert ada["id"] in installation.do("license", "explain", text).out, text


def test_without_a_terminal_a_command_changes_a_license_only_if_its_complete_key_or_id_is_given(shop):
    installation, (ada, adam) = shop
    for text in ("A-17", "ada@example.com", ada["licenseKey"][-4:]):
        refused = installation.run("license", "suspend", text)
        assert refused.code == 1 and ada["id"] in refused.err and "but not by its whole key" in refused.err, refused
    refused = installation.run("license", "suspend", "ada")
    assert refused.code == 1 and ada["id"] in refused.err and adam["id"] in refused.err, refused
    assert installation.run("license", "show", "ada").code == 1
    assert installation.do("license", "show", ada["id"], "--json").json["state"] == "issued"
    assert installation.do("license", "suspend", ada["key"], "--json").json["state"] == "suspended"
    assert installation.do("license", "reinstate", ada["id"], "--json").json["state"] == "issued"


def test_events_are_found_by_a_licenses_key_id_order_or_a_part_of_its_holder(shop):
    installation, (ada, adam) = shop
    key = ada["licenseKey"]
    for text in (key, ada["id"], ada["key"], key[-4:], f"...{key[-4:]}", "A-17", "ada@"):
        event, = installation.run("events", "--license", text, "--json").out.splitlines()
        assert ada["id"] in event, text
    several = installation.run("events", "--license", "ada")
    assert several.code == 1 and ada["id"] in several.err and adam["id"] in several.err, several
    unknown = installation.run("events", "--license", "nobody@example.com")
    assert unknown.code == 1 and "No license has that key" in unknown.err, unknown


def test_a_search_for_a_holder_ignores_letter_case_and_finds_all_of_the_holders_licenses(installation):
    installation.apply(catalog("acme", product(keyPrefix="NOTE")))
    ids = {
        installation.issue("acme", "notes", "pro", "--holder", holder)["id"]
        for holder in ("Mia@Example.com", "mia@example.com", "  MIA@example.COM")}
    installation.issue("acme", "notes", "pro", "--holder", "mío@example.com")
    listed = installation.do("license", "list", "--holder", "mia@example.com ", "--json").json
    assert {one["id"] for one in listed["licenses"]} == ids
    several = installation.run("license", "show", "MIA@EXAMPLE.COM")
    assert several.code == 1 and all(id in several.err for id in ids), several
    assert installation.do("license", "show", "MI\u0301O@example.com", "--json").json["holder"] == "mío@example.com"


def test_the_list_of_licenses_shows_each_holder_and_the_holders_email_address(installation):
    installation.apply(catalog("acme", product(keyPrefix="NOTE")))
    for options in (["--holder-email", "bo@example.com"], ["--holder", "Bo", "--holder-email", "bob@example.com"]):
        installation.issue("acme", "notes", "pro", *options)
    listed = installation.do("license", "list", "--tenant", "acme").out
    assert "Bo <bob@example.com>" in listed and " bo@example.com " in listed.replace("\n", " ")


def test_lists_of_licenses_can_be_filtered_by_order_and_by_end_date(installation):
    today = datetime.now(timezone.utc).replace(microsecond=0)

    def in_days(days):
        return (today + timedelta(days=days)).isoformat().replace("+00:00", "Z")

    past = license("NOTE-PAST-0000-0001", "yearly", expiresAt=in_days(-3), holder="past")
    policies = [policy("pro"), policy("yearly", graceDays=10)]
    installation.apply(catalog("acme", product(policies=policies, licenses=[past], keyPrefix="NOTE")))
    ids = {"past": installation.do("license", "show", past["key"], "--json").json["id"]}
    for name, days in {"soon": 5, "later": 20, "far": 90}.items():
        words = ("--order", f"Order-{name}", "--expires-at", in_days(days), "--holder", name)
        ids[name] = installation.issue("acme", "notes", "yearly", *words)["id"]
    ids["never"] = installation.issue("acme", "notes", "pro", "--order", "order-SOON")["id"]

    def listed(*options):
        found = installation.do("license", "list", *options, "--json").json["licenses"]
        return {name for one in found for name, id in ids.items() if one["id"] == id}

    assert listed("--order", "ORDER-soon") == {"soon", "never"}
    month = (today + timedelta(days=30)).date().isoformat()
    assert listed("--expires-before", month) == {"past", "soon", "later"}
    assert listed("--expires-after", month) == {"far"}
    assert listed("--expires-before", month, "--expires-after", today.date().isoformat()) == {"soon", "later"}
    grace, = [line for line in installation.do("license", "list").out.splitlines() if ids["past"] in line]
    assert " grace " in grace and "expired" not in grace
    ended, = installation.do("license", "list", "--holder", "past", "--json").json["licenses"]
    assert ended["state"] == "expired" and ended["graceEndsAt"] > today.isoformat()
    status = installation.do("status").out
    assert "ending       2 within 30 days, 1 within 7 days" in status and ids["soon"] in status and ids["far"] not in status
    report = installation.do("status", "--json").json
    assert report["ending"] == {"within7d": 1, "within30d": 2}
    assert [one["id"] for one in report["endingLicenses"]] == [ids["soon"], ids["later"]]


def at_a_terminal(installation, answer: str, *arguments: str) -> tuple[int, str]:
    """Runs a command at a terminal whose user types an answer; returns the exit code and what the terminal showed."""
    person, terminal = pty.openpty()
    try:
        os.write(person, (answer + "\n").encode())
        process = subprocess.run(
            installation.words(*arguments), cwd=installation.home, env=installation.environment, stdin=terminal,
            stdout=subprocess.PIPE, stderr=terminal, timeout=60)
        os.close(terminal)
        terminal = None
        shown = b""
        while True:
            try:
                piece = os.read(person, 65536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        return process.returncode, shown.decode()
    finally:
        os.close(person)
        if terminal is not None:
            os.close(terminal)


def test_on_a_terminal_a_command_asks_which_of_several_licenses_is_meant(shop):
    installation, (ada, adam) = shop
    code, shown = at_a_terminal(installation, "2", "license", "suspend", "ada")
    assert code == 0 and "1 to 2" in shown and ada["id"] in shown and adam["id"] in shown, shown
    states = {one["id"]: one["state"] for one in installation.do("license", "list", "--json").json["licenses"]}
    chosen, = [id for id, state in states.items() if state == "suspended"]
    assert shown.index(chosen) > min(shown.index(ada["id"]), shown.index(adam["id"])), "the second line"
    for answer in ("", "3", "0", "x"):
        code, shown = at_a_terminal(installation, answer, "license", "revoke", "ada")
        assert code == 1 and "nothing was done" in shown, shown


def test_on_a_terminal_a_command_asks_before_it_acts_on_a_partial_match(shop):
    installation, (ada, _) = shop
    for answer in ("", "no", "0", "2"):
        code, shown = at_a_terminal(installation, answer, "license", "suspend", "A-17")
        assert code == 1 and "Is it this license?" in shown and "nothing was done" in shown, shown
    assert installation.do("license", "show", ada["id"], "--json").json["state"] == "issued"
    for answer, act, state in (("y", "suspend", "suspended"), ("1", "reinstate", "issued"), ("Yes", "revoke", "revoked")):
        code, shown = at_a_terminal(installation, answer, "license", act, "A-17")
        assert code == 0 and ada["id"] in shown, shown
        assert installation.do("license", "show", ada["id"], "--json").json["state"] == state


@pytest.mark.parametrize("answer, state", [("", "issued"), ("no", "issued"), ("yes", "revoked")])
def test_on_a_terminal_revoking_several_licenses_requires_a_confirmation(shop, answer, state):
    installation, (ada, adam) = shop
    code, shown = at_a_terminal(installation, answer, "license", "revoke", ada["id"], adam["id"], ada["licenseKey"])
    assert "Revoke these 2 licenses?" in shown and ada["id"] in shown and adam["id"] in shown, shown
    assert code == (0 if answer == "yes" else 1), shown
    for one in (ada, adam):
        assert installation.do("license", "show", one["id"], "--json").json["state"] == state


def test_a_command_that_finds_no_license_or_device_explains_why(installation):
    installation.apply(catalog("acme", product()))
    assert "no licenses yet" in installation.run("license", "list").err
    assert "no licenses yet" in installation.run("license", "show", "ada@").err
    license = installation.issue("acme", "notes", "pro")
    assert "without them there are some" in installation.run("license", "list", "--state", "revoked").err
    assert "compares the whole text" in installation.run("license", "list", "--holder", "ada").err
    assert "no device has activated NOTES-" in installation.run("activation", "list", license["id"]).err
    missed = installation.run("license", "show", "NOTE-1234")
    assert missed.code == 1 and "last four characters" in missed.err, missed
