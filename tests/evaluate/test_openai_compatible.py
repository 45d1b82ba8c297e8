"""Asking a server by OpenAI's protocol: what is sent, and what becomes of each kind of reply."""

import base64
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import cv2
import fake_chat
import numpy as np
import pytest
from fake_chat import said, serving

from accord.errors import AccordError
from accord.models import http_service
from accord.models.adapters.openai_compatible import Client
from accord.models.protocols import Answer

PICTURE = np.full((1500, 2000, 3), (200, 40, 10), np.uint8)


def client(address, **more):
    return Client({}, address=address, model="talker", **more)


def test_a_question_is_sent_with_its_picture_made_small_and_without_metadata(monkeypatch):
    monkeypatch.setenv("TALKER_KEY", "secret")
    with serving(lambda *_: said("A nurse.")) as (address, asked):
        made = client(address, key="TALKER_KEY", prompt="Q: {} A:", max_tokens=7)
        assert made.answer([PICTURE], [["Who?", "What?"]]) == [[Answer("A nurse."), Answer("A nurse.")]]
    first = asked[0]
    assert (first["path"], first["key"]) == ("/v1/chat/completions", "Bearer secret")
    assert (first["model"], first["max_tokens"], first["temperature"]) == ("talker", 7, 0.0)
    assert [fake_chat.question(one) for one in asked] == ["Q: Who? A:", "Q: What? A:"]
    head, _, data = fake_chat.picture(first).partition(",")
    sent = base64.b64decode(data)
    assert head == "data:image/jpeg;base64" and b"Exif" not in sent
    shown = cv2.imdecode(np.frombuffer(sent, np.uint8), cv2.IMREAD_COLOR)[:, :, ::-1]
    assert shown.shape == (768, 1024, 3) and np.abs(shown.astype(int) - PICTURE[0, 0]).max() < 6


def test_a_small_picture_is_not_enlarged():
    with serving(lambda *_: said("Yes")) as (address, asked):
        client(address).answer([PICTURE[:30, :20]], [["?"]])
    data = base64.b64decode(fake_chat.picture(asked[0]).partition(",")[2])
    assert cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR).shape == (30, 20, 3)


NO_CHOICE = {"choices": []}
LONG = {"error": {"code": 400, "message": "request (5049 tokens)", "type": "exceed_context_size_error"}}
"""Of llama.cpp."""
FILTER = {"error": {"code": "content_filter", "message": "no"}}


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (said("She is a nurse."), Answer("She is a nurse.")),
        (said("  \n"), Answer("", "empty")),
        (said("a\ud800"), Answer("a?")),
        (said(7), Answer("", "empty")),
        (said("She is a", "length"), Answer("She is a", "cut", "the answer reached its limit of tokens")),
        (said("", "content_filter"), Answer("", "refused", "the service refused to answer")),
        ((400, {}, FILTER), Answer("", "refused", "the service refused to answer")),
        ((400, {}, {"error": {"code": ["odd"]}}), Answer("", "failed", "status 400")),
        ((400, {}, {"error": {"code": "a b <i>"}}), Answer("", "failed", "status 400")),
        ((400, {}, {"error": {"code": "jane_doe", "type": "tokens"}}), Answer("", "failed", "status 400 (tokens)")),
        ((400, {}, LONG), Answer("", "failed", "status 400 (exceed_context_size_error)")),
        (said([{"type": "text", "text": "A "}, {"type": "text", "text": "nurse"}, 3]), Answer("A nurse")),
        (said([{"text": [{"text": "A "}]}, {"text": "nurse"}]), Answer("nurse")),
        ((302, {"Location": "http://127.0.0.1:1/"}, {}), Answer("", "failed", "status 302")),
        ((308, {"Location": "http://[x"}, {}), Answer("", "failed", "status 308")),
    ],
)
def test_what_a_reply_means(reply, answer):
    with serving(lambda *_: reply) as (address, asked):
        assert client(address).ask(PICTURE[:8, :8], "?").answer == answer
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ((500, {}, b""), "status 500"),
        ((429, {"Retry-After": "7"}, {}), "status 429"),
        ((200, {}, b"<html>"), "the server's answer is not of the protocol"),
        ((200, {}, NO_CHOICE), "the server's answer is not of the protocol"),
        ((200, {"Content-Length": "9000"}, b"{"), "the server's answer is not of the protocol"),
    ],
)
def test_what_passes_is_tried_six_times_and_then_a_failed_row(reply, reason):
    pauses = []
    with serving(lambda *_: reply) as (address, asked):
        made = client(address, sleep=pauses.append, timeout=0.5)
        assert made.ask(PICTURE[:8, :8], "?").answer == Answer("", "failed", reason)
    assert len(asked) == 6
    assert pauses == ([7.0] * 5 if reply[0] == 429 else [1.0, 2.0, 4.0, 8.0, 16.0])


def test_what_fails_is_asked_again_only_as_often_as_is_allowed():
    left = iter([True, True, False])
    with serving(lambda *_: (500, {}, b"")) as (address, asked), http_service.asking_again(lambda: next(left)):
        assert client(address, sleep=lambda _: None).ask(PICTURE[:8, :8], "?").answer.reason == "status 500"
    assert len(asked) == 3


def test_a_server_of_this_machine_is_asked_without_a_proxy(monkeypatch):
    with serving(lambda *_: said("mine")) as (address, asked), serving(lambda *_: said("proxy's")) as (proxy, seen):
        monkeypatch.setenv("http_proxy", proxy.removesuffix("/v1"))
        assert client(address.replace("127.0.0.1", "localhost")).ask(PICTURE[:8, :8], "?").answer == Answer("mine")
    assert len(asked) == 1 and seen == []


@pytest.mark.parametrize("key", ["sk-LEAK\r\nX: 1", "sk\u2028LEAK", "sk-LEAKé"])
def test_a_key_that_no_header_can_have_is_not_told(monkeypatch, key):
    monkeypatch.setenv("TALKER_KEY", key)
    with pytest.raises(AccordError, match="the environment variable TALKER_KEY has a line break") as error:
        client("http://localhost:1/v1", key="TALKER_KEY")
    assert "LEAK" not in str(error.value)


def test_a_line_break_after_a_key_is_not_part_of_it(monkeypatch):
    monkeypatch.setenv("TALKER_KEY", "secret\n")
    with serving(lambda *_: said("Yes")) as (address, asked):
        client(address, key="TALKER_KEY").ask(PICTURE[:8, :8], "?")
    assert asked[0]["key"] == "Bearer secret"


def test_options_that_make_no_sense_are_told_all_at_once():
    bad = {"cost_per_call": -5, "max_tokens": 0, "side": 0, "temperature": "hot", "prompt": "Who?", "timeout": -1}
    with pytest.raises(AccordError) as error:
        client("http://localhost:1/v1", **bad)
    assert {one.where.rpartition(" ")[2] for one in error.value.problems} == set(bad)


@pytest.mark.parametrize("address", ["http://[::1", 5])
def test_an_address_that_is_none_is_told(address):
    with pytest.raises(AccordError, match="is no URL"):
        client(address)


def test_a_name_of_a_version_can_stand_in_an_error():
    reply = (200, {}, {"model": "\x1b[31m" + "v" * 9000, "choices": [{"message": {"content": "Yes"}}]})
    with serving(lambda *_: reply) as (address, _):
        version = client(address).ask(PICTURE[:8, :8], "?").version
    assert version.startswith("?[31mvvv") and len(version) == 200


def test_a_reply_that_drips_ends_with_the_timeout():
    slow = fake_chat.Slow([b"{", *[b" "] * 100, b"}"])
    with serving(lambda *_: (200, {}, slow)) as (address, _), http_service.asking_again(lambda: False):
        start = time.monotonic()
        reason = client(address, timeout=0.2).ask(PICTURE[:8, :8], "?").answer.reason
        assert time.monotonic() - start < 4
    assert reason == "the server's answer is not of the protocol"


DRIPPING = {
    "headers": b"HTTP/1.1 200 OK\r\n" + b"X-More: 1\r\n" * 500,
    "100 Continue": b"HTTP/1.1 100 Continue\r\n\r\n" * 200,
    "a header's end": b"HTTP/1.1 200 OK\r\nX-More: " + b"1" * 4000,
    "lengths of chunks": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"0" * 4000,
    "trailers": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + b"X-More: 1\r\n" * 500,
    "an error": b"HTTP/1.1 503 Later\r\n" + b"X-More: 1\r\n" * 500,
    "a shake of hands": b"",
}


@pytest.mark.parametrize("what", DRIPPING)
def test_whatever_drips_ends_with_the_timeout(what, monkeypatch):
    """Some bytes every 10 ms: the timeout of a socket never comes."""
    monkeypatch.setattr(http_service, "check_address", lambda *_: None)
    secure = what == "a shake of hands"
    with dripping(DRIPPING[what] or b"\x16\x03\x03\x3f\xff" * 1000) as port, http_service.asking_again(lambda: False):
        start = time.monotonic()
        made = client(f"http{'s' if secure else ''}://127.0.0.1:{port}/v1", timeout=0.3)
        assert made.ask(PICTURE[:8, :8], "?").answer.status == "failed"
        assert 0.2 < time.monotonic() - start < 6


@contextmanager
def dripping(data: bytes) -> Iterator[int]:
    """The port of a server that sends 5 bytes every 10 ms, and reads nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip() -> None:
            with suppress(OSError):
                one, _ = server.accept()
                with one:
                    for start in range(0, len(data), 5):
                        one.sendall(data[start : start + 5])
                        time.sleep(0.01)

        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        yield server.getsockname()[1]
    thread.join(5)
    assert not thread.is_alive(), "the connection was left open"


def held() -> int:
    """How many files and sockets this process has open."""
    return len([*Path("/proc/self/fd").iterdir()])


def test_nothing_of_a_request_is_left_behind():
    with serving(lambda *_: said("Yes")) as (address, _):
        made, threads, sockets = client(address), threading.active_count(), held()
        for _ in range(5):
            made.ask(PICTURE[:8, :8], "?")
        end = time.monotonic() + 10
        while (held() > sockets + 1 or threading.active_count() > threads + 1) and time.monotonic() < end:
            time.sleep(0.05)
        assert held() <= sockets + 1 and threading.active_count() <= threads + 1


@pytest.mark.parametrize("wrong", [{"timeout": 1e10}, {"timeout": float("inf")}, {"key": 5}, {"key": ""}])
def test_options_that_no_clock_or_environment_takes_are_told(wrong):
    with pytest.raises(AccordError, match=f"option {next(iter(wrong))}"):
        client("http://localhost:1/v1", **wrong)


def test_after_some_failures_the_answer_comes():
    replies = [(503, {}, {}), (200, {}, b"?"), said("Yes")]
    with serving(lambda _, number: replies[number]) as (address, asked):
        assert client(address, sleep=lambda _: None).ask(PICTURE[:8, :8], "?").answer == Answer("Yes")
    assert len(asked) == 3


def test_without_a_server_the_row_says_so():
    with serving(lambda *_: said("")) as (address, _):
        pass
    assert client(address, sleep=lambda _: None).ask(PICTURE[:8, :8], "?").answer.reason == "no connection"


@pytest.mark.parametrize(("status", "what"), [(401, "refuses the key (status 401)"), (404, "knows no such model")])
def test_what_no_question_would_change_stops_the_job(status, what):
    with serving(lambda *_: (status, {}, {})) as (address, _), pytest.raises(AccordError) as error:
        client(address).ask(PICTURE[:8, :8], "?")
    assert what in error.value.problems[0].what


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (500, {"error": {"code": 500, "message": "image input is not supported - hint: ...", "type": "server_error"}}),
        (400, {"error": {"message": "tiny is not a multimodal model", "type": "BadRequestError", "code": 400}}),
        (400, {"object": "error", "message": "At most 0 image(s) may be provided in one request.", "code": 400}),
        (400, {"error": "Model does not support images. Please use a model that does."}),
    ],
)
def test_a_model_that_reads_no_pictures_stops_the_job_at_once(status, error):
    """As llama.cpp, vLLM (also before it had `error`) and LM Studio say it."""
    with serving(lambda *_: (status, {}, error)) as (address, asked), pytest.raises(AccordError) as stopped:
        client(address, sleep=lambda _: None).ask(PICTURE[:8, :8], "?")
    assert stopped.value.problems[0].what == f"the server says that the model reads no pictures (status {status})"
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("name", "option"), [("max_tokens", "tokens_as: max_completion_tokens"), ("temperature", "temperature: null")]
)
def test_a_parameter_that_a_model_does_not_take_is_told_with_the_option_that_leaves_it_out(name, option):
    error = {"message": f"Unsupported parameter: '{name}'", "param": name, "code": "unsupported_parameter"}
    with serving(lambda *_: (400, {}, {"error": error})) as (address, asked), pytest.raises(AccordError) as stopped:
        client(address).ask(PICTURE[:8, :8], "?")
    assert stopped.value.problems[0].what == f"doesn't take the parameter {name}, or its value (status 400)"
    assert stopped.value.problems[0].hint == f"options: {{{option}}}" and len(asked) == 1


def test_parameters_are_left_out_or_named_as_the_model_wants():
    with serving(lambda *_: said("Yes")) as (address, asked):
        client(address, max_tokens=9, tokens_as="max_completion_tokens", temperature=None).ask(PICTURE[:8, :8], "?")
    assert {key for key in asked[0] if key not in ("path", "key")} == {"model", "max_completion_tokens", "messages"}
    assert asked[0]["max_completion_tokens"] == 9
    with pytest.raises(AccordError, match="option tokens_as: is 'tokens'"):
        client("http://localhost:1/v1", tokens_as="tokens")


def test_a_missing_key_and_an_open_address_are_told(monkeypatch):
    monkeypatch.delenv("TALKER_KEY", raising=False)
    with pytest.raises(AccordError) as error:
        client("https://example.org/v1", key="TALKER_KEY")
    assert error.value.problems[0].what == "the environment variable TALKER_KEY is not set"
    with pytest.raises(AccordError) as error:
        client("http://example.org/v1")
    assert error.value.problems[0].what == "unsupported URL: https required"


def test_only_servers_elsewhere_are_external():
    assert client("https://example.org/v1").external
    assert not client("http://localhost:8000/v1").external and not client("http://[::1]:8000/v1").external


@pytest.mark.parametrize(
    ("header", "pause"),
    [("5", 5.0), (None, 0.0), ("soon", 0.0), ("-3", 0.0), ("Mon, 23 Nov 2026 07:00:09 GMT", 9.0),
     ("Mon, 23 Nov 2026 06:00:00 GMT", 0.0)],
)  # fmt: skip
def test_retry_after_is_seconds_or_a_date(header, pause):
    assert http_service.seconds(header, lambda: datetime(2026, 11, 23, 7, 0, 0, tzinfo=UTC)) == pause
