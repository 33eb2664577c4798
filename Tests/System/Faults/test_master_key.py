"""Tests a master key that is missing, wrong or malformed."""

import pytest
import secrecy
from catalogs import catalog, fresh_key, license, product


@pytest.fixture
def made(installation):
    """An installation with a store and a master key."""
    installation.apply(catalog("acme", product(licenses=[license(fresh_key())])))
    secrecy.keep(installation.master_key.read_text().strip())
    return installation


def refused(installation) -> str:
    before = installation.database.read_bytes()
    for words in (["license", "list"], ["key", "rotate", "--tenant", "acme"], ["serve", "--listen", "127.0.0.1:0"]):
        output = installation.run(*words)
        assert output.code == 1 and output.out == "", output
    assert installation.database.read_bytes() == before
    return output.err


def test_a_missing_master_key_is_not_created_again(made):
    kept = made.master_key.rename(made.home / "kept.key")

    assert "master key" in refused(made)
    assert not made.master_key.exists()
    with made.serving("--master-key-file", str(kept)) as server:
        assert server.client.get("/acme/notes/config").status == 200


def test_a_wrong_master_key_is_refused(made):
    made.master_key.write_text(secrecy.keep("5a" * 32) + "\n")

    assert "not the master key" in refused(made)
    assert made.run("doctor").code == 1


@pytest.mark.parametrize(
    "contents", ["", "\n", "too short 5a5a", "5a" * 31, "5a" * 33, "zz" * 32, "5a" * 5000],
    ids=["nothing", "an empty line", "words", "31 bytes", "33 bytes", "other letters", "5000 bytes"])
def test_a_master_key_file_with_invalid_contents_is_refused(made, contents):
    made.master_key.write_text(contents)
    said = refused(made)

    assert "is not a master key" in said
    assert not contents.strip() or contents.strip() not in said


def test_doctor_warns_of_a_master_key_that_other_users_may_read(made):
    made.master_key.chmod(0o644)
    output = made.do("doctor")

    assert "other users may read" in output.out and "chmod 600" in output.out
    assert made.run("doctor", "--strict").code == 1
