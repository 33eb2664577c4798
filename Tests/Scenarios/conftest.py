"""Makes each .scenario file one test."""

import shutil
import sys
import tempfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Driver"))

import transcript
from program import NotBuilt
from runner import Failed, Runner


def pytest_collect_file(file_path, parent):
    if file_path.suffix == ".scenario":
        return ScenarioFile.from_parent(parent, path=file_path)
    return None


class ScenarioFile(pytest.File):
    def collect(self):
        yield Scenario.from_parent(self, name=self.path.stem)


class Scenario(pytest.Item):
    def runtest(self):
        steps = transcript.read(self.path.read_text(encoding="utf-8"))
        folder = Path(tempfile.mkdtemp(prefix="tenure-scenario-"))
        try:
            Runner(folder).perform(steps)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def repr_failure(self, excinfo):
        if isinstance(excinfo.value, (Failed, NotBuilt, transcript.Malformed)):
            return f"{self.path.name}: {excinfo.value}"
        return super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, 0, f"scenario: {self.name}"
