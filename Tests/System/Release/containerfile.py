"""Reads a Containerfile, and applies its instructions to a system in a folder, without a container engine."""

import json
import re
import shutil
from pathlib import Path

from empty_system import EmptySystem


class Containerfile:
    """The instructions of a Containerfile with one stage."""

    def __init__(self, path: Path):
        text = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", path.read_text(), flags=re.MULTILINE))
        self.steps = [tuple(line.split(None, 1)) for line in text.splitlines() if line.strip()]

    def _last(self, instruction: str) -> str:
        return [rest for name, rest in self.steps if name == instruction][-1]

    @property
    def base(self) -> str:
        return self._last("FROM")

    @property
    def user(self) -> str:
        return self._last("USER")

    @property
    def volume(self) -> str:
        return self._last("VOLUME")

    @property
    def environment(self) -> dict[str, str]:
        return dict(rest.split("=", 1) for name, rest in self.steps if name == "ENV")

    @property
    def entry_point(self) -> list[str]:
        return json.loads(self._last("ENTRYPOINT"))

    @property
    def command(self) -> list[str]:
        return json.loads(self._last("CMD"))

    @property
    def health_check(self) -> list[str]:
        return json.loads(self._last("HEALTHCHECK").split("CMD", 1)[1])

    def build(self, system: EmptySystem, context: Path):
        """Carries out the instructions that change files, in their order."""
        for name, rest in self.steps:
            if name == "RUN":
                system.run("sh", "-c", rest)
            elif name == "COPY":
                source, destination = rest.split()
                shutil.copy2(context / source, system.folder / destination.removeprefix("/"))
