"""Collects each .scenario file as one test per storage engine and dialect that it covers."""

import itertools
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Driver"))

import leaks
import transcript
from database import Database
from program import NotBuilt
from runner import Failed, Runner


def pytest_collect_file(file_path, parent):
    if file_path.suffix == ".scenario":
        return ScenarioFile.from_parent(parent, path=file_path)
    return None


ONLY_IN_A_FOLDER = "# engine: sqlite"
DIALECTS = "# dialects: "
_database: Database | None = None


def pytest_sessionfinish(session):
    leaks.pytest_sessionfinish(session)
    if _database:
        _database.end()


def new_store() -> str:
    """The URL of a new database on the PostgreSQL server that all scenarios share."""
    global _database
    _database = _database or Database("-c", "fsync=off")
    return _database.url(_database.new_database())


class ScenarioFile(pytest.File):
    def collect(self):
        lines = self.path.read_text(encoding="utf-8").splitlines()
        engines = ["sqlite"] if ONLY_IN_A_FOLDER in lines else ["sqlite", "postgres"]
        named = next((line.removeprefix(DIALECTS) for line in lines if line.startswith(DIALECTS)), None)
        dialects = named.split(", ") if named else [None]
        for engine, dialect in itertools.product(engines, dialects):
            name = "-".join(filter(None, [engine, dialect]))
            yield Scenario.from_parent(self, name=f"{self.path.stem}[{name}]", engine=engine, dialect=dialect)


class Scenario(pytest.Item):
    def __init__(self, *, engine, dialect, **given):
        super().__init__(**given)
        self.engine = engine
        self.dialect = dialect

    def runtest(self):
        steps = transcript.read(self.path.read_text(encoding="utf-8"))
        folder = Path(tempfile.mkdtemp(prefix="tenure-scenario-"))
        try:
            Runner(folder, new_store() if self.engine == "postgres" else None, self.dialect).perform(steps)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def repr_failure(self, excinfo):
        if isinstance(excinfo.value, (Failed, NotBuilt, transcript.Malformed)):
            return f"{self.path.name}: {excinfo.value}"
        return super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, 0, f"scenario: {self.name}"
