"""A server that plays an image search and the machines that it finds pictures on; some of them mean no good."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np

from accord.imaging.decode import encode_png

HOSTS = {"good.example": ["93.184.216.34"], "inside.example": ["10.0.0.7"], "both.example": ["93.184.216.34", "::1"]}
"""Host -> what its name resolves to."""


def picture(seed: int, size: int = 40) -> bytes:
    """A PNG that no other seed has."""
    return encode_png(np.random.default_rng(seed).integers(0, 255, (size, size, 3), np.uint8))


def resolve(host: str) -> list[str]:
    """As HOSTS says; an address is itself."""
    return HOSTS.get(host, [host])


@contextmanager
def serving(found: dict[str, list[str]], status: int = 200) -> Iterator[Any]:
    """found: words -> the addresses that a search for them finds. Yields the server: `address`, `asked`, `connect`."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            asked.append(self.path)
            name = parts.path.rpartition("/")[2]
            if parts.path == "/search":
                told = {key: some[0] for key, some in parse_qs(parts.query).items()}
                start, links = int(told["start"]) - 1, found.get(told["q"], [])
                items = [{"link": link} for link in links[start : start + int(told["num"])]]
                self._say(status, json.dumps({"items": items} if items else {}).encode())
            elif name == "moved":
                self.send_response(302)
                self.send_header("Location", "https://inside.example/1.png")
                self.end_headers()
            elif name == "circle":
                self.send_response(301)
                self.send_header("Location", "/circle")
                self.end_headers()
            elif name == "huge":
                self._say(200, b"x" * (21 << 20))
            elif name == "slow":
                self.send_response(200)
                self.end_headers()
                with suppress(OSError):
                    for _ in range(20):
                        time.sleep(0.1)
                        self.wfile.write(b"x")
            elif name == "page":
                self._say(200, b"<html>no picture</html>")
            elif name.endswith(".png"):
                self._say(200, picture(int(name.removesuffix(".png"))))
            else:
                self._say(404, b"")

        def _say(self, code: int, data: bytes) -> None:
            self.send_response(code)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            with suppress(OSError):
                self.wfile.write(data)

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()

    class Web:
        address = f"http://127.0.0.1:{server.server_port}/search"

        @staticmethod
        def connect(machine: str, host: str, timeout: float) -> socket.socket:
            """Whatever machine is asked for, this server answers."""
            return socket.create_connection(("127.0.0.1", server.server_port), timeout)

    Web.asked = asked
    try:
        yield Web
    finally:
        server.shutdown()
        server.server_close()
