"""Runs the steps of a scenario with the built program."""

import os
import shlex
import signal
import subprocess
from pathlib import Path
from string import Template

import transcript
from program import PACKAGE, program, sample
from server import Server
from transcript import Step

STEP_SECONDS = 120
START_SECONDS = 60
STOP_SECONDS = 60


class Failed(Exception):
    """A step's output or exit code differs from the expected one."""


class Runner:
    """Runs one scenario in its own folder, and on its own database if `store` is given.

    The scenario can run the sample app `lessons`. With a dialect, it can also run `notes`, which uses that dialect.
    """

    def __init__(self, folder: Path, store: str | None = None, dialect: str | None = None):
        self._home = folder / "home"
        self._home.mkdir()
        programs = folder / "bin"
        programs.mkdir()
        wrapper = Path(__file__).with_name("on-a-database")
        (programs / "tenure").symlink_to(wrapper if store else program())
        (programs / "lessons").symlink_to(program().parent / "lessons-cli")
        self._environment = {
            "PATH": f"{programs}:{os.environ.get('PATH', '/usr/bin:/bin')}",
            "HOME": str(self._home), "TMPDIR": str(self._home), "LANG": "C.UTF-8", "TZ": "UTC", "NO_COLOR": "1",
            "PACKAGE": str(PACKAGE),
        }
        if store:
            self._environment |= {"SCENARIO_STORE": store, "TENURE_PROGRAM": str(program())}
        if dialect:
            (programs / "notes").symlink_to(Path(__file__).with_name("notes"))
            self._environment |= {"NOTES_PROGRAM": str(sample()), "NOTES_DIALECT": dialect}
        self._known: dict[str, str] = {}
        self._server: Server | None = None

    def perform(self, steps: list[Step]) -> None:
        """Runs all steps; raises Failed at the first step that fails."""
        try:
            for step in steps:
                try:
                    getattr(self, "_" + step.verb)(step)
                except Failed as failure:
                    raise Failed(f"line {step.line}: {failure}{self._server_said()}") from None
        finally:
            if self._server:
                self._server.discard()

    def _run(self, step: Step) -> None:
        process = subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", step.text], cwd=self._home, env=self._environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            output, _ = process.communicate(timeout=STEP_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            text = transcript.indented(output.decode(errors="replace"))
            raise Failed(f"still running after {STEP_SECONDS} s: {step.text}\n{text}") from None
        actual = output.decode(errors="backslashreplace")
        captured = transcript.match(step.expected, actual, self._known)
        faults = []
        if captured is None:
            faults.append(transcript.difference(step.expected, actual, self._known) or transcript.indented(actual))
        if process.returncode != step.code:
            faults.append(f"exit code {process.returncode}, expected {step.code}")
            if captured is not None and actual:
                faults.append("it printed:\n" + transcript.indented(actual))
        if faults:
            raise Failed("\n".join([f"$ {step.text}", *faults]))
        self._known |= captured
        self._environment |= captured

    def _serve(self, step: Step) -> None:
        if self._server:
            raise Failed("a server is running already; stop it first")
        words = shlex.split(Template(step.text).safe_substitute(self._environment))
        given = {word.split("=")[0] for word in words}
        for option in (["--listen", "127.0.0.1:0"], ["--data", "data"], ["--create"]):
            if option[0] not in given:
                words = [*option, *words]
        self._server = Server(
            [self._environment["PATH"].split(":")[0] + "/tenure", "serve", *words], str(self._home), self._environment)
        address = self._server.address(START_SECONDS)
        if address is None:
            raise Failed("the server did not become ready")
        self._environment |= {"URL": address, "SERVER_PID": str(self._server.pid)}

    def _stop(self, step: Step) -> None:
        code = self._end(signal.SIGTERM)
        if code != 0:
            raise Failed(f"the server ended with {code} after SIGTERM, expected 0")
        self._server = None

    def _kill(self, step: Step) -> None:
        self._end(signal.SIGKILL)
        self._server = None

    def _end(self, by: signal.Signals) -> int:
        if not self._server:
            raise Failed("no server is running")
        code = self._server.end(by, STOP_SECONDS)
        if code is None:
            raise Failed(f"the server still runs {STOP_SECONDS} s after {by.name}")
        return code

    def _server_said(self) -> str:
        if not self._server:
            return ""
        return "\nthe server said:\n" + transcript.indented(self._server.said or "(nothing)")
