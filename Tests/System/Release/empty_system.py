"""An empty Debian system in a folder."""

import subprocess
from pathlib import Path

from release import PACKAGE

ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive"}


class EmptySystem:
    """Runs commands in a system that debootstrap made; when a command ends, its child processes end too."""

    def __init__(self, suite: str, folder: Path, *packages: str):
        self.folder = folder
        subprocess.run([PACKAGE / "Scripts/debian-root", suite, folder, *packages], check=True)

    def words(self, *words: str) -> list[str]:
        return [
            "unshare", "--pid", "--fork", "--kill-child", "--mount", f"--mount-proc={self.folder}/proc",
            "chroot", str(self.folder), *words]

    def run(self, *words: str, code: int = 0) -> str:
        """Runs a command; returns the output of both streams, and fails if the exit code is another one."""
        done = subprocess.run(
            self.words(*words), env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=300)
        assert done.returncode == code, f"{words} ended with {done.returncode}:\n{done.stdout}"
        return done.stdout
