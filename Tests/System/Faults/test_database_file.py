"""Tests database files that the program must refuse."""

import sqlite3

import pytest
from catalogs import catalog
from installation import Installation


def refused_untouched(installation: Installation, *words: str) -> str:
    """Checks that a server and a command refuse the file and leave it unchanged; returns the server's error."""
    before = installation.database.read_bytes()
    served = installation.run("serve", "--listen", "127.0.0.1:0")
    listed = installation.run("license", "list")
    assert (served.code, listed.code, served.out) == (1, 1, "")
    assert installation.database.read_bytes() == before
    assert installation.run("doctor").code == 1
    return served.err


def test_a_database_of_a_newer_version_is_refused(installation):
    installation.apply(catalog("acme"))
    database = sqlite3.connect(installation.database)
    with database:
        database.execute("INSERT INTO migrations VALUES ('9999-from-the-future', 0)")
    database.close()

    said = refused_untouched(installation)
    assert "newer version" in said and "9999-from-the-future" in said


@pytest.mark.parametrize(
    "contents", [b"hello\n", b"\x00" * 8192, b"PK\x03\x04" * 4096], ids=["a word", "two pages of NULs", "a ZIP"])
def test_a_file_that_is_not_a_database_is_refused(installation, contents):
    installation.apply(catalog("acme"))
    installation.database.write_bytes(contents)

    assert "not a database" in refused_untouched(installation)


def test_another_programs_database_is_refused(installation):
    installation.apply(catalog("acme"))
    installation.database.unlink()
    database = sqlite3.connect(installation.database)
    with database:
        database.execute("CREATE TABLE songs (title TEXT)")
    database.close()

    assert "another program" in refused_untouched(installation)


def test_a_damaged_database_is_refused_and_doctor_recommends_a_restore(installation):
    installation.apply(catalog("acme"))
    whole = installation.database.read_bytes()
    installation.database.write_bytes(whole[:4096] + b"\xa5" * (len(whole) - 4096))

    assert installation.run("license", "list").code == 1
    doctor = installation.run("doctor")
    assert doctor.code == 1 and "tenure restore FILE --replace" in doctor.out
    assert "right master key" not in doctor.out
    assert installation.run("serve", "--listen", "127.0.0.1:0").code == 1
