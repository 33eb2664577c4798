"""What the checker says of servers: of ours nothing, open and with tokens; of a stranger's nothing either; and what reaches
a server in each mode."""

import json
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
    """The checker, and what it is given for the stranger's marketplace."""

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
        """Checks the stranger's marketplace with all that can be given."""
        return self.run(mart.url, mart.domain, *self.given, *options)


@pytest.fixture
def checker(home):
    # Made before threads ask for them, once for all marketplaces.
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
def test_nothing_is_wrong_with_our_own_server(shared_installation, shared_server, checker, access):
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
    # What is skipped needs what was not given: a key, and where nobody signs in, an account.
    assert output.json["summary"]["skip"] <= (2 if access == "token" else 14)


def test_nothing_is_wrong_with_a_strangers_server(checker, stranger):
    output = checker.stranger(stranger)
    assert (failed(output), output.code) == ([], 0)
    skipped = [check["id"] for check in output.json["checks"] if check["result"] == "skip"]
    assert skipped == ["transport.https"]
    text = json.dumps(output.json)
    assert BEARER not in text and PASSWORD not in text


def test_each_fault_is_found_by_its_name_and_nothing_else_is(checker):
    def found(fault: str) -> list[str]:
        mart = IndependentMart(fault)
        is_file = fault.split(".")[0] in ("config", "certificate", "transport", "package", "manifest")
        options = ["--mode", "read", "--version", VERSION] if is_file else []
        try:
            return failed(checker.stranger(mart, *options))
        finally:
            mart.end()

    assert len(FAULTS) >= 60
    with ThreadPoolExecutor(2) as pool:
        results = dict(zip(FAULTS, pool.map(found, FAULTS)))
    assert {fault: ids for fault, ids in results.items() if ids != [fault]} == {}


def test_a_read_run_sends_what_any_visitor_may(checker, stranger):
    output = checker.stranger(stranger, "--mode", "read", "--contact", "ops@shop.example")
    assert (failed(output), output.code) == ([], 0)
    assert Counter(ask.method for ask in stranger.asked) == {"GET": 12, "HEAD": 2}
    assert all(ask.fields["user-agent"].startswith("tenure-conformance/") for ask in stranger.asked)
    assert all(ask.fields["user-agent"].endswith(" (ops@shop.example)") for ask in stranger.asked)
    assert all(ask.fields.get("range") for ask in stranger.asked if ask.method == "GET" and ask.path.endswith(".ipa"))


def test_a_read_run_that_asks_for_updates_sends_two_posts_more(checker, stranger):
    checker.stranger(stranger, "--mode", "read", "--ask-updates")
    assert [ask.path for ask in stranger.asked if ask.method == "POST"] == ["/updates", "/restore"]


def test_a_full_run_sends_the_rest(checker, stranger):
    checker.stranger(stranger)
    methods = Counter(ask.method for ask in stranger.asked)
    assert methods == {"GET": 17, "HEAD": 2, "POST": 44}
    paths = Counter(ask.path for ask in stranger.asked if ask.method == "POST")
    assert paths == {"/license": 14, "/license/renew": 4, "/restore": 9, "/updates": 6, "/token": 8, "/authorize": 3}


def test_another_machine_is_not_asked_everything_without_its_name(checker):
    output = checker.words("https://market.example", "--mode", "full", "--i-run", "another.example")
    assert output.code == 2
    assert "--i-run market.example" in output.err


def test_where_nothing_answers_that_is_told(checker, stranger):
    stranger.end()
    output = checker.run(stranger.url, stranger.domain)
    assert output.code == 2
    assert "No connection" in output.err
