"""The App Store Connect of the examples, which misbehaves on demand."""

import hashlib
import re
import sys
import threading

from program import PACKAGE

sys.path.append(str(PACKAGE / "Examples/app-store-connect"))

from app_store_connect import AppStoreConnect, signature  # noqa: F401


class FakeAppStore(AppStoreConnect):
    """A server for one test; `misbehave` replaces its next responses to a path with faulty ones."""

    def __init__(self, home):
        super().__init__(home / "app-store-connect")
        self.tricks: list[tuple[re.Pattern, object]] = []
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()

    def misbehave(self, pattern: str, *tricks):
        """Sets the next responses to matching paths: each a status with header fields, or a function of the handler."""
        with self._lock:
            self.tricks += [(re.compile(pattern), trick) for trick in tricks]

    def count(self, pattern: str) -> int:
        return sum(1 for path, _ in self.asked if re.search(pattern, path))

    def answer(self, handler):
        path = handler.path
        with self._lock:
            place = next((place for place, (pattern, _) in enumerate(self.tricks) if pattern.search(path)), None)
            trick = None if place is None else self.tricks.pop(place)[1]
        if trick is None:
            return super().answer(handler)
        with self._lock:
            self.asked.append((path, dict(handler.headers)))
        if callable(trick):
            return trick(handler)
        status, fields, *body = trick
        return self.send(handler, status, body[0] if body else b"{}", fields)

    # Functions that send faulty responses, for `misbehave`

    def cut(self, count: int):
        """Closes the connection after this many bytes of a file."""
        def trick(handler):
            name = handler.path.split("/", 3)[3]
            data = self.data(name)
            tag = f'"{hashlib.sha256(data).hexdigest()[:16]}"'
            asked = re.fullmatch(r"bytes=(\d+)-", handler.headers.get("Range", ""))
            start = int(asked[1]) if asked else 0
            fields = {"ETag": tag} | (
                {"Content-Range": f"bytes {start}-{len(data) - 1}/{len(data)}"} if asked else {})
            self.send(handler, 206 if asked else 200, data[start:], fields, cut=count)
        return trick

    def damaged(self, at: int):
        """Sends a file with one wrong byte."""
        def trick(handler):
            data = bytearray(self.data(handler.path.split("/", 3)[3]))
            data[at] ^= 1
            self.send(handler, 200, bytes(data), {"ETag": '"damaged"'})
        return trick

    def longer(self, count: int):
        """Sends more bytes than the manifest states."""
        def trick(handler):
            self.send(handler, 200, self.data(handler.path.split("/", 3)[3]) + b"x" * count)
        return trick

    def elsewhere(self, times: int = 1):
        """Redirects this many times in a row."""
        def trick(handler):
            if times > 1:
                self.misbehave(r"^/files/", self.elsewhere(times - 1))
            self.send(handler, 302, b"", {"Location": handler.path})
        return trick
