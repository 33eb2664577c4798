"""Runs the sample app `Examples/notes-cli` as on one device."""

import os
import subprocess
from pathlib import Path

from program import sample

SECONDS = 60


class Notes:
    """One device, with its own folder, identifier and clock."""

    def __init__(self, home: Path, dialect: str, name: str = "a-device-of-the-tests"):
        self.folder = home / f"notes-{name}"
        self._clock = home / f"clock-{name}"
        self._dialect = dialect
        self._name = name

    def at(self, seconds: int) -> "Notes":
        """Sets the device's time to this many seconds after the start."""
        self._clock.write_text(f"{seconds}\n")
        return self

    def wrong_by(self, seconds: int) -> "Notes":
        """Makes the device's clock wrong by this many seconds."""
        Path(f"{self._clock}.error").write_text(f"{seconds}\n")
        return self

    def run(self, server: str, *words: str) -> tuple[int, str]:
        """Runs the app; returns its exit code and everything it printed."""
        environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LANG": "C.UTF-8", "TZ": "UTC", "no_proxy": "*",
            "NOTES_SERVER": server, "NOTES_HOME": str(self.folder), "NOTES_DIALECT": self._dialect,
            "NOTES_DEVICE": self._name, "NOTES_CLOCK": str(self._clock)}
        done = subprocess.run(
            [str(sample()), *words], env=environment, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=SECONDS)
        return done.returncode, done.stdout

    def headline(self, server: str) -> str:
        """The first line of the app's status."""
        code, said = self.run(server, "status")
        assert code == 0, said
        return said.splitlines()[0]
