"""A server process that a test starts, with everything that it prints."""

import re
import signal
import subprocess
import threading

READY = re.compile(r"tenure: ready on (http://\S+|unix:\S+)")


class Server:
    """Runs a server in the background."""

    def __init__(self, words: list[str], folder: str, environment: dict[str, str], stdin: int = subprocess.DEVNULL):
        self._lines: list[str] = []
        self._heard = threading.Condition()
        self._open = 2
        self._process = subprocess.Popen(
            words, cwd=folder, env=environment, stdin=stdin, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, errors="replace")
        self._readers = [
            threading.Thread(target=self._listen, args=(stream,), daemon=True)
            for stream in (self._process.stdout, self._process.stderr)]
        for reader in self._readers:
            reader.start()

    def _listen(self, stream) -> None:
        for line in stream:
            with self._heard:
                self._lines.append(line)
                self._heard.notify_all()
        with self._heard:
            self._open -= 1
            self._heard.notify_all()

    def _address(self) -> str | None:
        return next((found[1] for line in self._lines if (found := READY.match(line))), None)

    def _has_said(self, text: str) -> bool:
        return any(text in line for line in self._lines)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def said(self) -> str:
        """The output of both streams, in the order of arrival."""
        with self._heard:
            return "".join(self._lines)

    def address(self, seconds: float) -> str | None:
        """Waits for the ready line; returns its address, or None if the server ends first or takes too long."""
        with self._heard:
            self._heard.wait_for(lambda: self._address() or self._open == 0, timeout=seconds)
            return self._address()

    def says(self, text: str, seconds: float) -> bool:
        """Waits until the server has printed a line with the text; returns False if it ends first or takes too long."""
        with self._heard:
            self._heard.wait_for(lambda: self._has_said(text) or self._open == 0, timeout=seconds)
            return self._has_said(text)

    def tell(self, line: str) -> None:
        """Writes a line to the server's standard input."""
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def end(self, by: signal.Signals, seconds: float) -> int | None:
        """Sends a signal and waits; returns the exit code, or None if the server doesn't end in time."""
        self._process.send_signal(by)
        try:
            code = self._process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            return None
        for reader in self._readers:
            reader.join(timeout=seconds)
        return code

    def discard(self) -> None:
        """Kills the server if it is still running."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
