"""The files of a page, read once when the server starts: no request ever names a path."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from fastapi import Request, Response

from accord.engine import resources

STATIC = resources.beside(__name__) / "static"
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
INDEX = "index.html"


def routes(folder: Path = STATIC) -> dict[str, Callable[[Request], Response]]:
    """URL -> what answers it, for each file of a folder."""
    files = [file for file in sorted(folder.iterdir()) if file.suffix in TYPES]
    return {"/" if file.name == INDEX else f"/static/{file.name}": _answer(file) for file in files}


def _answer(file: Path) -> Callable[[Request], Response]:
    data, kind = file.read_bytes(), TYPES[file.suffix]
    digest = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
    headers = {"cache-control": "no-cache", "etag": digest}

    def answer(request: Request) -> Response:
        if request.headers.get("if-none-match") == digest:
            return Response(status_code=304, headers=headers)
        return Response(data, media_type=f"{kind}; charset=utf-8", headers=headers)

    return answer
