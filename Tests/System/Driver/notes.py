"""The sample app of Examples/notes-cli, as a person has it on one device."""

import os
import subprocess
from pathlib import Path

from program import sample

SECONDS = 60


class Notes:
    """One device: a folder, an identifier, and a clock of its own."""

    def __init__(self, home: Path, dialect: str, name: str = "a-device-of-the-tests"):
        self.folder = home / f"notes-{name}"
        self._clock = home / f"clock-{name}"
        self._dialect = dialect
        self._name = name

    def at(self, seconds: int) -> "Notes":
        """Lets so much time go by since the start."""
        self._clock.write_text(f"{seconds}\n")
        return self

    def wrong_by(self, seconds: int) -> "Notes":
        """Sets this device's clock wrong."""
        Path(f"{self._clock}.error").write_text(f"{seconds}\n")
        return self

    def run(self, server: str, *words: str) -> tuple[int, str]:
        """The exit code, and all that was printed."""
        environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LANG": "C.UTF-8", "TZ": "UTC", "no_proxy": "*",
            "NOTES_SERVER": server, "NOTES_HOME": str(self.folder), "NOTES_DIALECT": self._dialect,
            "NOTES_DEVICE": self._name, "NOTES_CLOCK": str(self._clock)}
        done = subprocess.run(
            [str(sample()), *words], env=environment, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=SECONDS)
        return done.returncode, done.stdout

    def headline(self, server: str) -> str:
        """The state in a line."""
        code, said = self.run(server, "status")
        assert code == 0, said
        return said.splitlines()[0]
