"""A server that speaks OpenAI's protocol as far as it must to be asked, and fails as told."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PAUSE = 0.05
Reply = tuple[int, dict[str, str], Any]


class Slow(list[bytes]):
    """A body that is sent part by part, with pauses."""


def said(text: str, ending: str = "stop", model: str = "talker-1") -> Reply:
    """An answer of the protocol."""
    message = {"role": "assistant", "content": text}
    return 200, {}, {"model": model, "choices": [{"message": message, "finish_reason": ending}]}


@contextmanager
def serving(reply: Callable[[dict[str, Any], int], Reply]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The address of a server, and what it was asked: `reply` gets a request and how many there were before it."""
    asked: list[dict[str, Any]] = []
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            document = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                number = len(asked)
                asked.append({"path": self.path, "key": self.headers.get("Authorization"), **document})
            status, headers, body = reply(document, number)
            parts = body if isinstance(body, Slow) else [body if isinstance(body, bytes) else json.dumps(body).encode()]
            self.send_response(status)
            for name, value in {"Content-Length": str(sum(map(len, parts))), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            for part in parts:
                self.wfile.write(part)
                time.sleep(PAUSE if len(parts) > 1 else 0)

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", asked
    finally:
        server.shutdown()
        server.server_close()


def question(document: dict[str, Any]) -> str:
    """What a request asks."""
    return document["messages"][0]["content"][1]["text"]


def picture(document: dict[str, Any]) -> str:
    """The picture of a request, as a data URL."""
    return document["messages"][0]["content"][0]["image_url"]["url"]
