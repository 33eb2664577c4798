"""Tests the conformance checker: it accepts Tenure's server and an independent one, and detects every known fault.

The tests also count the requests that a server receives in each mode.
"""

import json
import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
import secrecy
from independent_faults import FAULTS
from independent_mart import ACCOUNT, BEARER, ITEM, PASSWORD, VERSION, IndependentMart, certificate, public_key
from installation import Installation
from program import program
from shop import Shop


class Checker:
    """The conformance checker, with its options for the independent marketplace."""

    def __init__(self, home):
        self.installation, self.home = Installation(home), home
        self.given = [
            "--item", ITEM, "--package", f"https://mart.example/adp/{ITEM}/{VERSION}", "--token-file",
            self.file("token", BEARER), "--account", ACCOUNT, "--password-file", self.file("password", PASSWORD),
            "--public-key", self.file("key.pem", public_key().decode())]

    def file(self, name: str, text: str) -> str:
        (self.home / name).write_text(text)
        return str(self.home / name)

    def run(self, url: str, domain: str, *options: str):
        return self.words(url, "--domain", domain, *options, "--json")

    def words(self, *words: str):
        return self.installation.run_words([str(program()), "conformance", *words])

    def stranger(self, mart: IndependentMart, *options: str):
        """Checks the independent marketplace with all options."""
        return self.run(mart.url, mart.domain, *self.given, *options)


@pytest.fixture
def checker(home):
    # Creates the certificates that all marketplaces share before several threads need them.
    certificate("signing"), certificate("encryption")
    return Checker(home)


def failed(output) -> list[str]:
    return [check["id"] for check in output.json["checks"] if check["result"] == "fail"]


@pytest.fixture
def stranger():
    mart = IndependentMart()
    yield mart
    mart.end()


@pytest.mark.parametrize("access", ["open", "token"])
def test_tenures_own_server_fails_no_conformance_check(shared_installation, shared_server, checker, access):
    shop = Shop(shared_installation, shared_server, access=access)
    shop.brought()
    options = ["--item", str(shop.item)]
    if access == "token":
        for words in (["add", "ada"], ["grant", "ada", "--item", str(shop.item)],
                      ["add", "ada", "--password-file", checker.file("password", PASSWORD)]):
            shared_installation.do("account", *words, "--tenant", shop.tenant)
        made = shared_installation.do("account", "token", "ada", "--tenant", shop.tenant, "--json").json["token"]
        options += ["--token-file", checker.file("token", secrecy.keep(made)), "--account", "ada",
                    "--password-file", checker.file("password", PASSWORD)]
    output = checker.run(shared_server.address, f"{shop.tenant}.example", *options)
    assert (failed(output), output.code) == ([], 0)
    # The checker skips checks whose option is missing: that of the public key and, with open access, those of an account.
    assert output.json["summary"]["skip"] <= (2 if access == "token" else 14)


def test_conformance_checks_pass_for_an_older_app_version_that_the_version_option_names(
        shared_installation, shared_server, checker):
    shop = Shop(shared_installation, shared_server)
    old, new = shop.brought(), shop.brought(version=900000102)
    options = ["--item", str(shop.item), "--version", str(old.version)]
    output = checker.run(shared_server.address, f"{shop.tenant}.example", *options)
    assert (failed(output), output.code) == ([], 0)
    results = {check["id"]: check["result"] for check in output.json["checks"]}
    assert [results[id] for id in ("updates.same_version", "token.version", "restore.version", "package.other_app")] == [
        "pass"] * 4


def test_a_package_at_another_host_passes_conformance_checks_only_if_the_host_is_an_alias(
        shared_installation, shared_server, checker):
    shop = Shop(shared_installation, shared_server)
    shop.brought()
    # A second marketplace is necessary: with only one, every host belongs to it.
    Shop(shared_installation, shared_server)
    host = "127.0.0.2"
    note = shop.apply(packageURL=f"https://{host}/game")
    assert note.code == 0 and f"https://{host}/.well-known/marketplace-kit" in note.out and "aliases" in note.out, note
    options = [shared_server.address, f"{shop.tenant}.example", "--item", str(shop.item)]
    assert {"restore.package_host", "updates.package_host"} <= set(failed(checker.run(*options)))
    assert "nothing to change" in shop.apply().err, "it is said once"
    shop.members["aliases"] = [host]
    applied = shop.apply()
    assert applied.code == 0 and "packageURL" not in applied.out, applied
    assert not {"restore.package_host", "updates.package_host"} & set(failed(checker.run(*options)))


def test_an_alias_host_serves_its_marketplaces_configuration_and_no_other_marketplace_can_use_it(
        shared_installation, shared_server):
    host = f"files.{os.urandom(4).hex()}.test"
    shop = Shop(shared_installation, shared_server, aliases=[host])
    other = Shop(shared_installation, shared_server)
    path = "/.well-known/marketplace-kit"
    told = [shared_server.client.ask("GET", path, headers={"Host": name}) for name in (f"{shop.tenant}.example", host)]
    assert [answer.status for answer in told] == [200, 200] and told[0].body == told[1].body
    for members in ({"aliases": [host]}, {"domain": host}, {"aliases": [f"{shop.tenant}.example"]}):
        before = dict(other.members)
        other.members |= members
        output = other.apply()
        assert output.code == 1 and shop.tenant in output.err, (members, output)
        other.members = before
    # Both marketplaces are in one file.
    marts = [{"id": shop.tenant, "marketplace": {"name": "A", "domain": f"{shop.tenant}.example", "aliases": [host]}},
             {"id": other.tenant, "marketplace": {"name": "B", "domain": f"{other.tenant}.example", "aliases": [host]}}]
    file = other.home / "both.json"
    file.write_text(json.dumps({"tenants": marts}))
    output = shared_installation.run("apply", str(file))
    assert output.code == 1 and "/tenants/1/marketplace/aliases/0" in output.err, output
    # Once the first marketplace drops the alias, the other may use it.
    shop.members["aliases"] = []
    assert shop.apply().code == 0
    other.members["aliases"] = [host]
    assert other.apply().code == 0


def test_a_second_conformance_run_uses_the_same_device_and_gives_the_same_summary(
        shared_installation, shared_server, checker, stranger):
    shop = Shop(shared_installation, shared_server, access="token")
    assert shop.apply(license={"deviceLimit": 1, "deviceChanges": 0}).code == 0
    shop.brought()
    for words in (["add", "ada"], ["grant", "ada", "--item", str(shop.item)]):
        shared_installation.do("account", *words, "--tenant", shop.tenant)
    made = shared_installation.do("account", "token", "ada", "--tenant", shop.tenant, "--json").json["token"]
    options = ["--item", str(shop.item), "--token-file", checker.file("own-token", secrecy.keep(made))]
    first, second = (checker.run(shared_server.address, f"{shop.tenant}.example", *options) for _ in range(2))
    assert (failed(first), failed(second)) == ([], [])
    assert first.json["summary"] == second.json["summary"]
    left = [one.json["left"] for one in (first, second)]
    assert left[0]["device"] == left[1]["device"]
    # The report names the command that releases the device of the run, and the command works.
    license = left[1]["licenses"][-1]
    assert f"`tenure license return {license}`" in left[1]["note"]
    assert shared_installation.run("license", "return", license).code == 0
    # The report about an independent server says that there is no such command.
    elsewhere = checker.stranger(stranger).json["left"]
    assert "no request can release it" in elsewhere["note"] and elsewhere["device"] == checker.stranger(stranger).json["left"]["device"]
    assert "left" not in checker.stranger(stranger, "--mode", "read").json


def test_an_independent_marketplace_passes_every_conformance_check_except_https_which_is_skipped(checker, stranger):
    output = checker.stranger(stranger)
    assert (failed(output), output.code) == ([], 0)
    skipped = [check["id"] for check in output.json["checks"] if check["result"] == "skip"]
    assert skipped == ["transport.https"]
    text = json.dumps(output.json)
    assert BEARER not in text and PASSWORD not in text


def test_each_simulated_fault_of_a_marketplace_fails_only_the_conformance_check_of_the_same_name(checker):
    def found(fault: str) -> list[str]:
        mart = IndependentMart(fault)
        is_file = fault.split(".")[0] in ("config", "certificate", "transport", "package", "manifest")
        # Only the full mode checks the bytes of a file.
        is_read = is_file and fault not in ("package.corrupt", "package.range_shifted")
        options = ["--mode", "read", "--version", VERSION] if is_read else []
        try:
            return failed(checker.stranger(mart, *options))
        finally:
            mart.end()

    assert len(FAULTS) >= 60
    with ThreadPoolExecutor(2) as pool:
        results = dict(zip(FAULTS, pool.map(found, FAULTS)))
    assert {fault: ids for fault, ids in results.items() if ids != [fault]} == {}


def test_a_read_only_conformance_run_sends_only_get_and_head_and_names_itself_in_each_request(checker, stranger):
    output = checker.stranger(stranger, "--mode", "read", "--contact", "ops@shop.example")
    assert (failed(output), output.code) == ([], 0)
    assert Counter(ask.method for ask in stranger.asked) == {"GET": 12, "HEAD": 2}
    assert all(ask.fields["user-agent"].startswith("tenure-conformance/") for ask in stranger.asked)
    assert all(ask.fields["user-agent"].endswith(" (ops@shop.example)") for ask in stranger.asked)
    assert all(ask.fields.get("range") for ask in stranger.asked if ask.method == "GET" and ask.path.endswith(".ipa"))


def test_a_read_only_conformance_run_that_checks_updates_sends_one_post_to_updates_and_one_to_restore(
        checker, stranger):
    checker.stranger(stranger, "--mode", "read", "--ask-updates")
    assert [ask.path for ask in stranger.asked if ask.method == "POST"] == ["/updates", "/restore"]


def test_a_full_conformance_run_sends_18_get_2_head_and_46_post_requests(checker, stranger):
    checker.stranger(stranger)
    methods = Counter(ask.method for ask in stranger.asked)
    assert methods == {"GET": 18, "HEAD": 2, "POST": 46}
    paths = Counter(ask.path for ask in stranger.asked if ask.method == "POST")
    assert paths == {"/license": 15, "/license/renew": 4, "/restore": 10, "/updates": 6, "/token": 8, "/authorize": 3}


def test_a_full_conformance_run_is_refused_if_its_confirmation_names_another_host(checker):
    output = checker.words("https://market.example", "--mode", "full", "--i-run", "another.example")
    assert output.code == 2
    assert "--i-run market.example" in output.err


def test_a_conformance_run_against_an_unreachable_server_fails_and_reports_that_there_is_no_connection(
        checker, stranger):
    stranger.end()
    output = checker.run(stranger.url, stranger.domain)
    assert output.code == 2
    assert "No connection" in output.err
