"""A server that speaks Rekognition's and Face++'s protocols as far as it must to be asked, and fails as told.

A picture's people are told by its colours: each column of 40 px is a person, whose grey is who they are; black is none.
"""

import base64
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

import cv2
import numpy as np

Reply = tuple[int, dict[str, str], Any]
WIDTH = 40
THRESHOLDS = {"1e-3": 62.327, "1e-4": 69.101, "1e-5": 73.975}


def picture(*people: int) -> np.ndarray:
    """80 px high; people: the grey of each, 0 for a gap."""
    return np.repeat(np.repeat(np.array([people], np.uint8), WIDTH, 1), 80, 0)[:, :, None].repeat(3, 2)


def seen(data: str) -> tuple[list[tuple[int, int]], tuple[int, ...]]:
    """(column, grey rounded to tens) of each person in a picture, and the picture's shape."""
    decoded = cv2.imdecode(np.frombuffer(base64.b64decode(data), np.uint8), cv2.IMREAD_GRAYSCALE)
    middles = decoded[40, WIDTH // 2 :: WIDTH].astype(int)
    return [(number, round(grey, -1)) for number, grey in enumerate(middles) if grey > 20], decoded.shape


def likeness(left: int, right: int) -> float:
    """Per cent: 95 for the same person, less the farther they are apart."""
    return max(0.0, 95.0 - abs(left - right))


def rekognition(action: str, document: dict[str, Any]) -> Reply:
    """What Rekognition answers to DetectFaces and CompareFaces."""
    if action == "DetectFaces":
        people, shape = seen(document["Image"]["Bytes"])
        return 200, {}, {"FaceDetails": [_details(column, shape) for column, _ in people]}
    (source, _), (target, shape) = (seen(document[name]["Bytes"]) for name in ("SourceImage", "TargetImage"))
    if not source or not target:
        return fault("InvalidParameterException")
    scores = [(likeness(source[0][1], who), _details(column, shape)) for column, who in target]
    least = document["SimilarityThreshold"]
    matches = [{"Similarity": score, "Face": face} for score, face in scores if score >= least]
    return 200, {}, {"FaceMatches": matches, "UnmatchedFaces": [face for score, face in scores if score < least]}


def fault(kind: str, status: int = 400, **headers: str) -> Reply:
    """An error of JSON 1.1; its message quotes what was sent, as services do."""
    return status, headers, {"__type": f"com.amazonaws.rekognition#{kind}", "Message": "AKIDEXAMPLE /9j/4AAQ"}


def facepp(action: str, fields: dict[str, str]) -> Reply:
    """What Face++ answers to detect and compare."""
    if action == "detect":
        people, _ = seen(fields["image_base64"])
        return 200, {}, {"faces": [_rectangle(column) for column, _ in people], "face_num": len(people)}
    first, second = (seen(fields[name])[0] for name in ("image_base64_1", "image_base64_2"))
    found = {"faces1": [_rectangle(c) for c, _ in first], "faces2": [_rectangle(c) for c, _ in second]}
    if first and second:
        found |= {"confidence": likeness(first[0][1], second[0][1]), "thresholds": THRESHOLDS}
    return 200, {}, found


def _details(column: int, shape: tuple[int, ...]) -> dict[str, Any]:
    box = {"Left": column * WIDTH / shape[1], "Top": -0.01, "Width": WIDTH / shape[1], "Height": 1.0}
    return {"BoundingBox": box, "Confidence": 99.5}


def _rectangle(column: int) -> dict[str, Any]:
    return {"face_token": "t", "face_rectangle": {"left": column * WIDTH, "top": 0, "width": WIDTH, "height": 80}}


@contextmanager
def serving(reply: Callable[[str, dict[str, Any], int], Reply]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The address of a server, and what it was asked: `reply` gets the action, a request and how many were before."""
    asked: list[dict[str, Any]] = []
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            action = (self.headers.get("X-Amz-Target") or self.path).replace("/", ".").rpartition(".")[2]
            is_form = self.headers["Content-Type"] == "application/x-www-form-urlencoded"
            fields = {key: some[0] for key, some in parse_qs(body.decode()).items()} if is_form else json.loads(body)
            with lock:
                number = len(asked)
                asked.append({"action": action, "headers": dict(self.headers), "body": body, "fields": fields})
            status, headers, told = reply(action, fields, number)
            data = told if isinstance(told, bytes) else json.dumps(told).encode()
            self.send_response(status)
            for name, value in {"Content-Length": str(len(data)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()
