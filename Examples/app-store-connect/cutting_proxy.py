"""A proxy that forwards a server's responses, and cuts off the first responses with an app's file after some bytes.

    python3 cutting_proxy.py URL ADDRESS_FILE --bytes 200000 --times 1

It prints a line for each request for an app's file.
"""

import argparse
import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit


class Cutting(BaseHTTPRequestHandler):
    """Forwards one request to the server and returns the server's response."""

    def pass_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        connection = http.client.HTTPConnection(self.server.target, timeout=60)
        connection.request(self.command, self.path, body, dict(self.headers))
        answer = connection.getresponse()
        content = answer.read()
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.path.endswith(".ipa"):
            content = self.cut(content)
        self.wfile.write(content)

    def cut(self, content: bytes) -> bytes:
        """The bytes to send: only the first ones while there are responses left to cut off, otherwise all."""
        is_cut = self.server.left > 0
        self.server.left -= is_cut
        sent = content[:self.server.cut] if is_cut else content
        asked = self.headers.get("Range", "the whole file")
        print(f"{asked}: {len(sent)} bytes sent" + (", then cut" if is_cut else ""), flush=True)
        self.close_connection = is_cut
        return sent

    do_GET = do_POST = pass_on

    def log_message(self, *_) -> None:
        pass


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("url")
    reader.add_argument("place", help="the proxy's own address is written there")
    reader.add_argument("--bytes", type=int, default=200_000)
    reader.add_argument("--times", type=int, default=1)
    reader.add_argument("--seconds", type=int, default=600, help="ends by itself after so long")
    arguments = reader.parse_args()
    proxy = ThreadingHTTPServer(("127.0.0.1", 0), Cutting)
    proxy.target, proxy.cut, proxy.left = urlsplit(arguments.url).netloc, arguments.bytes, arguments.times
    threading.Timer(arguments.seconds, proxy.shutdown).start()
    Path(arguments.place).write_text(f"http://127.0.0.1:{proxy.server_address[1]}\n")
    proxy.serve_forever()


if __name__ == "__main__":
    main()
