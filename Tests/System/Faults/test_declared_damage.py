"""Damages stores in every way that the declarations of the tables forbid, on both engines.

`doctor --deep` must name the table, the row and the column, and exit with 1. The damages are in
`Tests/Fixtures/damages.json`, which a Swift test compares with the declarations.
"""

import itertools
import json
import re
import shutil
import sqlite3
from contextlib import closing, contextmanager
from dataclasses import dataclass

import pytest
import whole_store
from database import SharedInstallation, running_database
from installation import Installation, temporary_home
from program import PACKAGE

TABLES = json.loads((PACKAGE / "Tests/Fixtures/damages.json").read_text())
BY_NAME = {table["table"]: table for table in TABLES}
# For these tables, a fault names the license, because the key is a hash.
NAMED_BY_LICENSE = {"former_keys"}
ENGINES = ["sqlite", "postgres"]


class FileStore:
    """A store in an SQLite file."""

    engine = "sqlite"

    def __init__(self, home):
        self.installation = Installation(home)
        whole_store.fill(self.installation)
        with closing(sqlite3.connect(self.installation.database)) as store:
            store.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @contextmanager
    def copy(self):
        with temporary_home() as home:
            copy = object.__new__(FileStore)
            copy.installation = Installation(home)
            shutil.copytree(self.installation.data, copy.installation.data)
            yield copy

    def rows(self, *texts: str) -> list[list[str]]:
        """The results of queries that return one row each."""
        with closing(sqlite3.connect(self.installation.database)) as store:
            store.text_factory = lambda text: text.decode(errors="replace")
            return [[str(value) for value in store.execute(text).fetchone()] for text in texts]

    def content(self, table: dict) -> set[tuple[str, ...]]:
        """The readable key of each row, and the whole row as a text."""
        with closing(sqlite3.connect(self.installation.database)) as store:
            columns = [row[1] for row in store.execute(f"PRAGMA table_info({table['table']})")]
            keys = [columns.index(name) for name in readable_key(table)]
            return {
                (*(str(row[place]) for place in keys), repr(row))
                for row in store.execute(f"SELECT * FROM {table['table']}")}

    def change(self, *texts: str) -> list[int]:
        """Executes statements; returns how many rows each one changed."""
        with closing(sqlite3.connect(self.installation.database)) as store:
            store.execute("PRAGMA ignore_check_constraints = ON")
            store.execute("PRAGMA foreign_keys = OFF")
            counts = [store.execute(text).rowcount for text in texts]
            store.commit()
            return counts

    def set_null(self, columns: list[tuple[str, dict]]) -> None:
        """Sets columns of their tables' last rows to null; meanwhile, the columns aren't declared NOT NULL."""
        with closing(sqlite3.connect(self.installation.database)) as store:
            before = store.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").fetchall()
            texts = dict(before)
            for table, column in columns:
                loose, count = re.subn(rf"(\b{column['name']} [A-Z]+) NOT NULL", r"\1", texts[table["table"]], count=1)
                assert count == 1, f"{table['table']}.{column['name']}"
                texts[table["table"]] = loose
            self.define(store, texts)
        self.change(*(last_row(table, column, "NULL") for table, column in columns))
        with closing(sqlite3.connect(self.installation.database)) as store:
            self.define(store, dict(before))

    @staticmethod
    def define(store, texts: dict[str, str]) -> None:
        store.execute("PRAGMA writable_schema = ON")
        for name, text in texts.items():
            store.execute("UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?", (text, name))
        store.commit()

    def drop(self, indexes: list[str]) -> None:
        self.change(*(f"DROP INDEX {name}" for name in indexes))

    def drop_tables(self, names: list[str]) -> None:
        self.change(*(f"DROP TABLE {name}" for name in names))


class DatabaseStore:
    """A store in a PostgreSQL database."""

    engine = "postgres"
    numbers = itertools.count(1)

    def __init__(self, home, database):
        self.database = database
        self.installation = SharedInstallation(home, database, database.new_database(), "damage")
        self.installation.do("init")
        whole_store.fill(self.installation)

    @contextmanager
    def copy(self):
        copy = object.__new__(DatabaseStore)
        name = f"damaged{next(self.numbers)}"
        self.database.sql(f"CREATE DATABASE {name} TEMPLATE {self.installation.store}")
        copy.database = self.database
        copy.installation = SharedInstallation(self.installation.home, self.database, name, "damage")
        yield copy
        self.database.sql(f"DROP DATABASE {name} WITH (FORCE)")

    def rows(self, *texts: str) -> list[list[str]]:
        return self.all_rows(";".join(texts))

    def all_rows(self, text: str) -> list[list[str]]:
        return [line.split("|") for line in self.installation.sql(text)]

    def content(self, table: dict) -> set[tuple[str, ...]]:
        columns = ", ".join([*readable_key(table), "md5(one::text)"])
        return set(map(tuple, self.all_rows(f"SELECT {columns} FROM {table['table']} one")))

    def change(self, *texts: str) -> list[int]:
        # In the role of a replica, PostgreSQL doesn't check foreign keys.
        counted = [f"WITH changed AS ({text} RETURNING 1) SELECT count(*) FROM changed" for text in texts]
        return [
            int(line) for line in self.installation.sql(";".join(["SET session_replication_role = replica", *counted]))]

    def set_null(self, columns) -> None:
        self.installation.sql(";".join(
            f"ALTER TABLE {table['table']} ALTER COLUMN {column['name']} DROP NOT NULL" for table, column in columns))
        self.change(*(last_row(table, column, "NULL") for table, column in columns))

    def drop(self, indexes) -> None:
        self.installation.sql(";".join(f"DROP INDEX {name}" for name in indexes))

    def drop_tables(self, names: list[str]) -> None:
        self.installation.sql(";".join(f"DROP TABLE {name} CASCADE" for name in names))


@pytest.fixture(scope="module", params=ENGINES)
def whole(request):
    """An installation with data of every kind, and without a running server."""
    with temporary_home() as home:
        if request.param == "sqlite":
            yield FileStore(home)
        else:
            with running_database("-c", "fsync=off") as database:
                yield DatabaseStore(home, database)


@pytest.fixture
def store(whole):
    """A copy of the store of `whole`, which the test damages."""
    with whole.copy() as copy:
        yield copy


def last_row(table: dict, column: dict, value: str) -> str:
    """The statement that sets a column of a table's last row."""
    key = ", ".join(table["key"])
    order = ", ".join(f"{name} DESC" for name in table["key"])
    where = f" WHERE ({key}) IN (SELECT {key} FROM {table['table']} ORDER BY {order} LIMIT 1)" if key else ""
    return f"UPDATE {table['table']} SET {column['name']} = {value}{where}"


def readable_key(table: dict) -> list[str]:
    """The columns of a table's key that are texts or numbers, by which a fault names a row."""
    return [
        column["name"] for column in table["columns"]
        if column["name"] in table["key"] and column["type"] in ("text", "integer")]


def keys_of_last_rows(store, tables: list[dict]) -> list[dict[str, str]]:
    """For each table, the texts and numbers in the key of its last row, by column."""
    names = [readable_key(table) for table in tables]
    found = iter(store.rows(*(
        f"SELECT {', '.join(columns)} FROM {table['table']} "
        f"ORDER BY {', '.join(f'{name} DESC' for name in table['key'])} LIMIT 1"
        for table, columns in zip(tables, names, strict=True) if columns)))
    return [dict(zip(columns, next(found), strict=True)) if columns else {} for columns in names]


def fill_if_empty(store, tables: list[dict]) -> None:
    counts = store.rows(*(f"SELECT count(*) FROM {table['table']}" for table in tables))
    samples = [
        table["sample"][store.engine] for table, count in zip(tables, counts, strict=True) if count == ["0"]]
    if samples:
        assert store.change(*samples) == [1] * len(samples)


def faults(store) -> list[tuple[str, str]]:
    """The damage that `doctor --deep` reports, each as the table and the rest of the message; fails without a report."""
    told = store.installation.run("doctor", "--deep", "--json")
    found = [json.loads(line) for line in told.out.splitlines()]
    assert told.code == 1, told
    return [tuple(one["message"].split(", ", 1)) for one in found if one["subject"] == "damage"]


def test_doctor_deep_finds_no_fault_in_a_sound_store(whole):
    assert "everything is consistent" in whole.installation.do("doctor", "--deep").out


@dataclass(frozen=True)
class Damage:
    """A change of one table, and the table and pattern of the fault that `doctor --deep` must report."""

    table: str
    change: str
    subject: str
    pattern: str

    def is_named(self, rows: set[str], subject: str, rest: str) -> bool:
        """Whether a fault names the table, the column, and one of the rows if any are given."""
        return subject == self.subject and re.match(self.pattern, rest) is not None and (
            not rows or any(row in rest for row in rows))


def changed_rows(store, damage: Damage, before: set[tuple[str, ...]]) -> set[str]:
    """The keys by which a fault names the changed rows; empty if the fault is in another table, or no row is left."""
    table = BY_NAME[damage.table]
    types = {column["name"]: column["type"] for column in table["columns"]}
    # Ids are stored as numbers and named as texts, so only texts are compared.
    places = [place for place, name in enumerate(readable_key(table)) if types[name] == "text"]
    if not places or damage.subject != damage.table:
        return set()
    names = {"of lic_"} if damage.table in NAMED_BY_LICENSE else set()
    return names | {row[place] for row in store.content(table) - before for place in places}


def in_rounds(damages: list[Damage]) -> list[list[Damage]]:
    """Lists of damages with at most one for each damaged table. Many damages at once take little longer than one."""
    by_table = {}
    for damage in damages:
        by_table.setdefault(damage.table, []).append(damage)
    return [[one for one in group if one] for group in itertools.zip_longest(*by_table.values())]


def check(whole, damages: list[Damage]) -> None:
    """Checks that `doctor` names each damage; those that it missed among others are checked again in smaller groups."""
    with whole.copy() as store:
        fill_if_empty(store, [table for table in TABLES if table["table"] in {one.table for one in damages}])
        before = [store.content(BY_NAME[one.table]) for one in damages]
        counts = store.change(*(json.loads(one.change)[store.engine] for one in damages))
        rows = [changed_rows(store, one, content) for one, content in zip(damages, before, strict=True)]
        found = faults(store)
    assert [one for one, count in zip(damages, counts, strict=True) if count == 0] == [], "nothing was damaged"
    missed = [
        one for one, names in zip(damages, rows, strict=True) if not any(one.is_named(names, *fault) for fault in found)]
    assert missed == [] or len(damages) > 1, missed
    for part in parts(missed, damages):
        check(whole, part)


def parts(missed: list, damages: list) -> list[list]:
    """The lists to check again, because other damages may have hidden those that weren't named."""
    if len(missed) < len(damages):
        return [missed] if missed else []
    return [missed[::2], missed[1::2]]


RULES = in_rounds([
    Damage(
        rule["damaged"], json.dumps(rule["change"]), rule["table"],
        rf"\S.*: {rule['column']}: " if "column" in rule else r"\S.*: ")
    for table in TABLES for rule in table["rules"]])
REFERENCES = in_rounds([
    Damage(
        table["table"], json.dumps(reference["change"]), table["table"],
        rf".*: {', '.join(reference['columns'])}: refers to a row of ")
    for table in TABLES for reference in table["references"]])


@pytest.mark.parametrize("number", range(len(RULES)))
def test_doctor_deep_names_a_row_that_breaks_an_invariant(whole, number):
    check(whole, RULES[number])


@pytest.mark.parametrize("number", range(len(REFERENCES)))
def test_doctor_deep_names_a_reference_to_a_missing_row(whole, number):
    check(whole, REFERENCES[number])


def rounds(tables_columns: list[tuple[dict, dict]]) -> list[list[tuple[dict, dict]]]:
    """Lists of columns with at most one of each table, so that a fault doesn't hide another."""
    by_table = [list(group) for _, group in itertools.groupby(tables_columns, key=lambda pair: pair[0]["table"])]
    return [[one for one in group if one] for group in itertools.zip_longest(*by_table)]


def columns_where(condition) -> list[list[tuple[dict, dict]]]:
    return rounds([
        (table, column) for table in TABLES for column in table["columns"] if table["key"] and condition(table, column)])


UNREADABLE = columns_where(lambda table, column: "unreadable" in column)
REQUIRED = columns_where(lambda table, column: not column["isNullable"] and column["name"] not in table["key"])
TEXTS = columns_where(lambda table, column: column["type"] == "text")


def check_named(store, columns, damage) -> None:
    tables = [table for table, _ in columns]
    fill_if_empty(store, tables)
    keys = dict(zip([table["table"] for table in tables], keys_of_last_rows(store, tables), strict=True))
    damage()
    found = faults(store)
    missed = []
    for table, column in columns:
        # If the damaged column is part of the key, its value has changed.
        key = [f"{name} {value}" for name, value in keys[table["table"]].items() if name != column["name"]]
        if not any(
                name == table["table"] and f": {column['name']}: " in rest and all(part in rest for part in key)
                for name, rest in found):
            missed.append((table["table"], column["name"], key))
    assert missed == [], found


@pytest.mark.parametrize("number", range(len(UNREADABLE)))
def test_doctor_deep_names_a_value_that_its_columns_type_does_not_allow(store, number):
    columns = UNREADABLE[number]
    check_named(store, columns, lambda: store.change(*(column["unreadable"][store.engine] for _, column in columns)))


@pytest.mark.parametrize("number", range(len(REQUIRED)))
def test_doctor_deep_names_a_null_in_a_required_column(store, number):
    check_named(store, REQUIRED[number], lambda: store.set_null(REQUIRED[number]))


@pytest.mark.parametrize("whole", ["sqlite"], indirect=True)
@pytest.mark.parametrize("number", range(len(TEXTS)))
def test_doctor_deep_names_text_that_is_not_utf8(store, number):
    # PostgreSQL rejects such text.
    damage = [last_row(table, column, "CAST(x'41ff42' AS TEXT)") for table, column in TEXTS[number]]
    check_named(store, TEXTS[number], lambda: store.change(*damage))


def test_doctor_deep_does_not_report_a_trial_of_a_removed_product(store):
    count, = store.change("UPDATE trials SET product = 'gone'")
    assert count > 0
    assert "everything is consistent" in store.installation.do("doctor", "--deep").out


def test_doctor_deep_names_missing_indexes(store):
    indexes = [(table["table"], name) for table in TABLES for name in table["indexes"]]
    store.drop([name for _, name in indexes])
    found = set(faults(store))
    assert [pair for pair in indexes if (pair[0], f"index {pair[1]}: is missing") not in found] == []


@pytest.mark.parametrize("part", range(5))
def test_doctor_deep_names_missing_tables(whole, part):
    check_missing(whole, [table["table"] for table in TABLES][part::5])


def check_missing(whole, names: list[str]) -> None:
    with whole.copy() as store:
        store.drop_tables(names)
        found = faults(store)
    missed = [name for name in names if (name, f"table {name}: is missing") not in found]
    assert missed == [] or len(names) > 1, missed
    for part in parts(missed, names):
        check_missing(whole, part)
