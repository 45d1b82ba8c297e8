"""Google Vision, as a service that this test runs itself: patience, partial failures, cost, what is sent and kept."""

import base64
import io
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pandas as pd
import pytest
from PIL import Image

from accord.audit.evidence import lineage
from accord.checks import vision
from accord.checks.brands.vision_answers import Cache, parsed
from accord.checks.brands.vision_client import Client
from accord.checks.tables.findings import Answers
from accord.engine import table
from accord.erase.planning import closure
from accord.errors import AccordError

KEY = "a-key-that-nobody-may-see"
WEB = {
    "webDetection": {
        "fullMatchingImages": [{"url": "https://a.example/1.jpg"}],
        "visuallySimilarImages": [{"url": "x"}],
    }
}
LOGO = {
    "logoAnnotations": [
        {
            "description": "Zephra",
            "score": 0.9,
            "boundingPoly": {"vertices": [{}, {"x": 50}, {"x": 50, "y": 20}, {"y": 20}]},
        }
    ]
}


class Service:
    """Answers each request with the next of `script`: a status, (status, headers), bytes, or a list of responses; then
    with `usual` for every image."""

    def __init__(self, *script, usual=None):
        self.script, self.usual, self.asked, self.keys, self.paths = list(script), usual or {}, [], [], []

    def answer(self, path, key, body):
        requests = json.loads(body)["requests"]
        self.keys.append(key)
        self.paths.append(path)
        self.asked.append(requests)
        step = self.script.pop(0) if self.script else [self.usual] * len(requests)
        if isinstance(step, int):
            return step, {}, b"{}"
        if isinstance(step, tuple):
            return *step, b"{}"
        return 200, {}, step if isinstance(step, bytes) else json.dumps({"responses": step}).encode()

    @property
    def pictures(self):
        return sum(len(requests) for requests in self.asked)


@pytest.fixture
def serve(monkeypatch):
    """Starts a service; returns its address."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("ACCORD_VISION_KEY", KEY)
    started = []

    def start(service):
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status, headers, data = service.answer(self.path, self.headers["X-Goog-Api-Key"], body)
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(data))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        started.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server in started:
        server.shutdown()
        server.server_close()


@pytest.fixture
def naps():
    return []


@pytest.fixture
def client(serve, naps):
    return lambda service, **more: Client(serve(service), KEY, per_minute=10**6, sleep=naps.append, **more)


@pytest.fixture
def ask(serve, shard, photo, jpeg, tmp_path):
    """Runs the step on images a, b (1280 px wide, with EXIF) and c, a copy of a; returns what it returns."""
    exif = Image.Exif()
    exif[0x010E] = "Personal remark"
    pictures = {name: jpeg(photo(seed, 1280, 720), exif=exif) for name, seed in (("a", 1), ("b", 2), ("c", 1))}
    images, path = shard({name: (data, {"width": 1280, "height": 720}) for name, data in pictures.items()})

    def run(service, features=("web",), agreed="contract 7", most_units=100):
        return vision.run(
            images, path, cache=tmp_path / "cache", features=list(features), agreed=agreed, address=serve(service),
            per_minute=10**6, most_units=most_units,
        )  # fmt: skip

    return run


def test_a_service_of_this_machine_is_asked_without_a_proxy(serve, monkeypatch):
    service, proxy = Service(usual=WEB), Service(usual=WEB)
    monkeypatch.delenv("NO_PROXY")
    monkeypatch.setenv("http_proxy", serve(proxy))
    (reply,) = Client(serve(service), KEY).annotate([b"x"], ["web"])
    assert reply.answer == WEB and service.pictures == 1 and proxy.asked == []


def test_a_key_that_no_header_can_have_is_not_told():
    with pytest.raises(AccordError, match="its key has a line break") as error:
        Client("http://127.0.0.1:1", "SECRET\nx")
    assert "SECRET" not in str(error.value)


@pytest.mark.parametrize(
    "failure", [503, 429, b"<html>", b'{"responses": []}', b'{"responses": [1]}', b'{"other": 1}', b""]
)
def test_failures_that_pass_are_asked_again(client, naps, failure):
    service = Service(failure, failure, usual=WEB)
    (reply,) = client(service).annotate([b"x"], ["web"])
    assert reply.answer == WEB
    assert naps == [1.0, 2.0]
    assert service.keys == [KEY] * 3
    assert service.paths[0] == "/v1/images:annotate"


def test_the_pause_is_the_one_that_the_service_asks_for_within_bounds(client, naps):
    service = Service((429, {"Retry-After": "7"}), (429, {"Retry-After": "86400"}), usual=WEB)
    client(service).annotate([b"x"], ["web"])
    assert naps == [7.0, 60.0]


@pytest.mark.parametrize(
    ("step", "times", "text"),
    [
        (500, 5, r"gave no answer \(status 500\)"),
        (404, 1, r"gave no answer \(status 404\)"),
        ((302, {"Location": "http://127.0.0.1:1/"}), 1, r"gave no answer \(status 302\)"),
        (b"no json", 5, r"an invalid answer"),
        (403, 1, r"refuses the key \(status 403\)"),
    ],
)
def test_it_gives_up_in_the_end_and_never_tells_the_key(client, step, times, text):
    service = Service(*[step] * 9)
    with pytest.raises(AccordError, match=text) as error:
        client(service).annotate([b"x"], ["web"])
    assert len(service.asked) == times
    assert KEY not in str(error.value)


def test_a_service_that_does_not_answer_is_given_up(naps):
    with pytest.raises(AccordError, match=r"gave no answer \(no connection\)"):
        Client("http://127.0.0.1:9", KEY, sleep=naps.append, timeout=0.2).annotate([b"x"], ["web"])


def test_no_more_requests_a_minute_than_allowed(serve, naps):
    limited = Client(serve(Service(usual=WEB)), KEY, per_minute=60, sleep=naps.append, clock=lambda: 9.0)
    for _ in range(3):
        limited.annotate([b"x"], ["web"])
    assert naps == [1, 2]


def test_the_key_does_not_travel_in_the_open():
    with pytest.raises(AccordError, match="unsupported URL: https required"):
        Client("http://vision.example", KEY)


def test_what_is_sent_is_small_and_bare_and_each_file_is_paid_once(ask):
    service = Service(usual={**WEB, **LOGO})
    first = ask(service, ["web", "logos"])
    assert service.pictures == 2
    (sent,) = {request["image"]["content"] for request in service.asked[0][:1]}
    with Image.open(io.BytesIO(base64.b64decode(sent))) as picture:
        assert picture.size == (1024, 576)
        assert not picture.getexif()
    assert b"Personal remark" not in base64.b64decode(sent)
    assert first.usage == {"images": 2, "units": 4, "refused": 0}
    assert first.answers["image"].tolist() == ["a", "a", "b", "b", "c", "c"]
    logo = first.answers[first.answers["kind"] == "logo"].iloc[0]
    assert (logo["name"], logo["score"]) == ("Zephra", 0.9)
    assert list(logo["polygon"]) == [0, 0, 62.5, 0, 62.5, 25, 0, 25]
    silent = Service(500)
    again = ask(silent, ["web", "logos"])
    assert silent.asked == []
    pd.testing.assert_frame_equal(first.answers, again.answers)


def test_another_feature_alone_is_asked_later(ask):
    ask(Service(usual=WEB), ["web"])
    later = Service(usual=LOGO)
    both = ask(later, ["logos", "web"])
    assert [one["type"] for one in later.asked[0][0]["features"]] == ["LOGO_DETECTION"]
    assert sorted(both.answers["kind"].unique()) == ["full", "logo"]


def test_a_partial_failure_keeps_the_rest_and_asks_only_that_again(ask, tmp_path):
    failing = {"error": {"code": 14, "message": "later " + KEY}}
    with pytest.raises(AccordError, match=r"left 1 image\(s\) without an answer") as error:
        ask(Service([WEB, failing]))
    assert KEY not in str(error.value)
    again = Service(usual=WEB)
    assert len(ask(again).answers) == 3
    assert again.pictures == 1


def test_what_the_service_will_never_answer_is_said_and_not_asked_again(ask):
    bad = {"error": {"code": 3, "message": "Bad image data."}}
    found = ask(Service([bad, {}]))
    assert found.answers["kind"].tolist() == ["refused", "nothing", "refused"]
    assert found.usage["refused"] == 1
    silent = Service()
    ask(silent)
    assert silent.asked == []


def test_the_cache_names_its_images_and_its_making_so_that_erasures_and_audits_find_them(ask, tmp_path):
    ask(Service(usual=WEB))
    kept = sorted((tmp_path / "cache").glob("*.json"))
    assert sorted(json.loads(path.read_text())["images"] for path in kept) == [["a", "c"], ["b"]]
    assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}
    assert sum(closure.rows_naming(path, ['"b"']) for path in kept) == 1
    assert {lineage.trace(path).status for path in kept} == {lineage.OK}
    assert json.loads(kept[0].read_text())["provenance"]["params"]["agreed"] == "contract 7"
    kept[0].write_text("broken")
    with pytest.raises(AccordError, match="is damaged"):
        ask(Service(usual=WEB))


def test_nothing_is_sent_without_agreement_or_over_the_ceiling(ask):
    service = Service()
    with pytest.raises(AccordError, match="no agreement to send pictures"):
        ask(service, agreed=" ")
    with pytest.raises(AccordError, match="4 units would be charged for this shard; the limit is 3"):
        ask(service, ["web", "logos"], most_units=3)
    assert service.asked == []


@pytest.mark.parametrize(
    "answer",
    [
        {"webDetection": []}, {"webDetection": {"fullMatchingImages": {"url": "x"}}}, {"logoAnnotations": "x"},
        {"webDetection": {"fullMatchingImages": [{"url": 1}, None, {}]}},
        {"logoAnnotations": [{"description": "x", "score": "0.9", "boundingPoly": {"vertices": [{}] * 4}}]},
        {"logoAnnotations": [{"description": "x", "score": 0.9, "boundingPoly": {"vertices": [{"x": "a"}] * 4}}]},
        {"logoAnnotations": [{"description": "x", "score": 0.9, "boundingPoly": None}]},
    ],
)  # fmt: skip
def test_parts_that_make_no_sense_are_left_out(answer):
    assert [row["kind"] for row in parsed(answer, ["web", "logos"])] == ["nothing", "nothing"]


def test_answers_are_kept_feature_by_feature(tmp_path):
    cache = Cache(tmp_path, {})
    cache.put("0" * 64, "a", {"web": [1]})
    cache.put("0" * 64, "b", {"logos": [2]})
    assert cache.get("0" * 64, "a") == {"web": [1], "logos": [2]}


def test_answers_of_several_features_are_one_table(ask):
    found = ask(Service(usual={**WEB, **LOGO}), ["web", "logos"]).answers
    assert len(table.check(found, Answers, "answers")) == 6
