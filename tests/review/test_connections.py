"""Connections to the review page that don't do what browsers do, over real sockets."""

import http.client
import socket
import ssl
import threading
import time
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime, timedelta

import page_cases
import pytest
import uvicorn
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from fastapi.responses import JSONResponse

from accord.review.page import connections, pages, server

JSON = b"Content-Type: application/json\r\n"
LONG = 15
"""Seconds after which a connection that should have been closed wasn't: less than a request may take."""


@contextmanager
def serving(folder, **tls):
    """The page as `accord review serve` serves it; gives its port and server."""
    vault, results = page_cases.house(folder)
    listening = connections.Listening(socket.create_server(("127.0.0.1", 0)))
    port = listening.getsockname()[1]
    app = pages.create(vault, results, server.origin("127.0.0.1", port, bool(tls)))
    settings = {"http": connections.Connection, "loop": "asyncio", "log_config": None, "ws": "none"}
    runs = uvicorn.Server(uvicorn.Config(app, timeout_graceful_shutdown=1, **settings, **tls))
    thread = threading.Thread(target=runs.run, args=([listening],), daemon=True)
    thread.start()
    try:
        while not runs.started:
            time.sleep(0.01)
        yield port, runs
    finally:
        runs.should_exit = True
        thread.join(10)


@pytest.fixture
def port(tmp_path, monkeypatch):
    monkeypatch.setattr(connections, "REQUEST", 0.6)
    with serving(tmp_path) as (found, _):
        yield found


def connected(port, data=b"", address="127.0.0.1"):
    one = socket.create_connection(("127.0.0.1", port), LONG, source_address=(address, 0))
    one.sendall(data)
    return one


def closes(one, drip=b"") -> float:
    """Seconds until the server closes a connection, to which a byte goes now and then."""
    start = time.monotonic()
    one.settimeout(0.1)
    while time.monotonic() - start < LONG:
        try:
            if drip:
                one.sendall(drip)
            if not one.recv(1 << 16):
                return time.monotonic() - start
        except TimeoutError:
            continue
        except OSError:
            return time.monotonic() - start
    raise AssertionError("the connection is still open")


def is_open(one) -> bool:
    one.settimeout(0.01)
    try:
        return bool(one.recv(1))
    except TimeoutError:
        return True
    except ConnectionError:
        return False


def comes(wanted) -> bool:
    """Whether something holds, at the latest after LONG."""
    start = time.monotonic()
    while not (found := wanted()) and time.monotonic() - start < LONG:
        time.sleep(0.02)
    return found


def head(port, more=b"", method=b"POST", path=b"/api/sign-in"):
    return b"%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s" % (method, path, port, more)


def asked(port, address="127.0.0.1"):
    with connected(port, head(port, b"\r\n", b"GET", b"/api/me"), address) as one:
        return one.recv(100)


@pytest.mark.parametrize(
    ("begun", "drip"),
    [
        (b"", b""),
        (b"G", b""),
        (b"GET / HTTP/1.1\r\nX: ", b"y"),
        (b"GET / HTTP/1.1\r\n", b"X: y\r\n"),
        (b"GET /api/me HTTP/1.1\r\nHost: HOST\r\n\r\nG", b"E"),
        (b"GET /api/me HTTP/1.1\r\nHost: HOST\r\nContent-Length: 900000\r\n\r\n", b"x"),
        (b"POST /api/sign-in HTTP/1.1\r\nHost: HOST\r\nContent-Length: 900000\r\n\r\n", b"x"),
        (b"POST /api/sign-in HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
    ],
)
def test_a_request_that_does_not_end_is_closed(port, begun, drip):
    with connected(port, begun.replace(b"HOST", b"127.0.0.1:%d" % port)) as one:
        assert closes(one, drip) < LONG


@pytest.mark.parametrize("times", [1, 300])
def test_an_answer_that_nobody_takes_is_closed(tmp_path, monkeypatch, times):
    monkeypatch.setattr(connections, "ANSWER", 0.5)
    large = JSONResponse("x" * (11 << 20))
    monkeypatch.setattr(pages, "ROUTES", (("GET", "/api/me", lambda: large),))
    with serving(tmp_path) as (port, runs), connected(port, head(port, b"\r\n", b"GET", b"/api/me") * times) as one:
        assert one.recv(10)
        assert comes(lambda: not runs.server_state.connections)


def test_a_length_and_an_encoding_together_hold_no_memory(port):
    both = b"Content-Type: application/json\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
    with connected(port, head(port, both)) as one:
        assert b" 411 " in one.recv(100)
        assert closes(one, b"8000\r\n" + b"x" * 0x8000 + b"\r\n") < LONG


def second_request(port):
    return b"GET /api/me HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        (
            b"Content-Type: application/json\r\nContent-Length: LENGTH\r\nTransfer-Encoding: chunked\r\n",
            b"0\r\n\r\n",
            411,
        ),
        (b"Transfer-Encoding: chunked\r\n", b"0\r\n\r\n", 411),
        (b"Content-Type: text/plain\r\nContent-Length: 2\r\n", b"{}", 415),
        (JSON + b"Content-Length: 2\r\n", b"{}", 403),
    ],
)
def test_after_a_refusal_nothing_of_the_connection_is_a_request(port, headers, body, status):
    """A proxy may go by the length, where h11 goes by the encoding: what follows the last chunk is of the body."""
    second = second_request(port)
    headers = headers.replace(b"LENGTH", b"%d" % len(body + second))
    with connected(port, head(port, headers + b"\r\n") + body + second) as one:
        answers = b""
        with suppress(ConnectionResetError):
            while part := one.recv(1 << 16):
                answers += part
    assert answers.startswith(b"HTTP/1.1 %d " % status)
    assert answers.count(b"HTTP/1.1 ") == 1 and b"connection: close" in answers.lower()


def test_one_address_can_not_keep_the_others_out(tmp_path):
    with serving(tmp_path) as (port, runs), ExitStack() as held:
        many = [held.enter_context(connected(port, b"G")) for _ in range(connections.MOST_OF_ADDRESS + 20)]
        assert all(closes(one) < LONG for one in many[connections.MOST_OF_ADDRESS :])
        assert all(is_open(one) for one in many[: connections.MOST_OF_ADDRESS])
        assert b" 200 " in asked(port, "127.0.0.2")
        assert len(runs.server_state.connections) <= connections.MOST_OF_ADDRESS + 1
        for one in many:
            one.close()
        assert comes(lambda: not runs.server_state.connections)
        assert b" 200 " in asked(port)


def test_no_number_of_addresses_uses_up_all_files(tmp_path, monkeypatch):
    monkeypatch.setattr(connections, "MOST", 10)
    with serving(tmp_path) as (port, runs), ExitStack() as held:
        many = [held.enter_context(connected(port, b"G", f"127.0.0.{number + 3}")) for number in range(20)]
        assert all(closes(one) < LONG for one in many[10:])
        assert comes(lambda: len(runs.server_state.connections) == 10)


def test_what_is_dropped_or_closed_is_counted_once():
    listening = connections.Listening(socket.create_server(("127.0.0.1", 0)), of_address=2)
    with listening, ExitStack() as held:
        ends = []
        for _ in range(2):
            held.enter_context(connected(listening.getsockname()[1]))
            ends.append(listening.accept()[0])
        third = held.enter_context(connected(listening.getsockname()[1]))
        with pytest.raises(ConnectionAbortedError):
            listening.accept()
        assert third.recv(1) == b""
        for _ in range(2):
            ends[0].close()
        held.enter_context(connected(listening.getsockname()[1]))
        ends.append(listening.accept()[0])
        for one in ends:
            one.close()
        assert not listening._held


def test_a_browser_s_connection_is_kept_between_requests(port):
    browser, used = http.client.HTTPConnection("127.0.0.1", port), set()
    for _ in range(3):
        browser.request("GET", "/api/me")
        answer = browser.getresponse()
        assert answer.status == 200 and answer.read()
        used.add(browser.sock.getsockname())
        time.sleep(0.7)  # longer than a request may take
    browser.close()
    assert len(used) == 1


@pytest.fixture
def certificate(tmp_path):
    """Files of a certificate for this machine, and of its key."""
    key, today = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(1).not_valid_before(today).not_valid_after(today + timedelta(days=1))
    files = tmp_path / "cert.pem", tmp_path / "key.pem"
    files[0].write_bytes(made.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM))
    files[1].write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return dict(zip(("ssl_certfile", "ssl_keyfile"), files, strict=True))


def test_all_of_it_holds_over_tls(tmp_path, monkeypatch, certificate):
    monkeypatch.setattr(connections, "REQUEST", 1)
    monkeypatch.setattr(connections, "ANSWER", 1)
    large = JSONResponse("x" * (11 << 20))
    monkeypatch.setattr(pages, "ROUTES", (*pages.ROUTES, ("GET", "/large", lambda: large)))
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with serving(tmp_path, **certificate) as (port, runs), ExitStack() as held:
        for _ in range(connections.MOST_OF_ADDRESS):
            held.enter_context(connected(port))  # no handshake comes
        assert closes(held.enter_context(connected(port))) < LONG
        for request in (b"G", head(port, b"\r\n", b"GET", b"/large")):
            one = held.enter_context(context.wrap_socket(connected(port, address="127.0.0.2")))
            one.sendall(request)
        assert b" 200 " in one.recv(100)
        assert comes(lambda: not runs.server_state.connections)


def test_the_page_is_served_so(monkeypatch, tmp_path):
    ran = []
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, sockets: ran.append((self.config, sockets[0]._of_address)))
    monkeypatch.chdir(tmp_path)
    server.serve([], port=18766)
    server.serve([], port=18766, url="https://review.example.org")
    assert [most for _, most in ran] == [connections.MOST_OF_ADDRESS, connections.MOST]
    assert all(config.http_protocol_class is connections.Connection for config, _ in ran)
