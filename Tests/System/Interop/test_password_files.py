"""Tests password files of several editors, and passwords typed in several Unicode forms."""

import pytest
import secrecy
from signed_market import SignedMarket


@pytest.fixture
def market(shared_installation, shared_server):
    return SignedMarket(shared_installation, shared_server)


@pytest.mark.parametrize("file", ["{}", "{}\r\n", "\ufeff{}\r\n", "{}\r", "{}\n\nnotes"])
def test_a_password_file_with_a_byte_order_mark_or_any_line_ending_sets_its_first_line_as_the_password(
        market, tmp_path, file):
    password = secrecy.keep("gr\u00fcn wie die Hoffnung")
    path = tmp_path / "password"
    path.write_bytes(file.format(password).encode())
    market.installation.do("account", "add", "ada", "--password-file", str(path), "--tenant", market.tenant)
    web = market.app().web
    for typed in (password, "gru\u0308n wie die Hoffnung"):
        answer = web.post(f"/resolve/{market.tenant}/sign-in", {"account": " Ada", "password": typed})
        assert answer.status == 303, answer


def test_a_password_file_in_utf_16_is_refused(market, tmp_path):
    path = tmp_path / "password"
    path.write_bytes("grün wie die Hoffnung".encode("utf-16"))
    told = market.installation.run("account", "add", "ada", "--password-file", str(path), "--tenant", market.tenant)
    assert told.code == 1 and "does not contain a valid password" in told.err
