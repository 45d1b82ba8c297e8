"""Lists of hashes from exchanges, through threatexchange's clients, from a service that this test runs itself."""

import base64
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlparse

import pytest

from accord.abuse import command, hash_exchange, hash_lists
from accord.errors import AccordError

PDQ, MD5, GONE = "a" * 64, "b" * 32, "c" * 32
PAGE = """<?xml version="1.0"?>
<queryResult xmlns="https://hashsharing.ncmec.org/hashsharing/v2">
 <images count="1" maxTimestamp="2026-01-01T00:00:00Z">{entries}</images>
 <videos count="1" maxTimestamp="2026-01-01T00:00:00Z">
  <video><id>v1</id><member id="1">x</member><fingerprints><md5>{video}</md5></fingerprints></video></videos>
 <paging><next>{next}</next></paging>
</queryResult>"""
ENTRY = "<image><member id='1'>x</member><id>{0}</id><fingerprints>{1}</fingerprints></image>"
TAKEN_BACK = "<deletedImage><member id='1'>x</member><id>i2</id></deletedImage>"


@pytest.fixture
def service():
    """Starts a service that answers GET with what a function of (path, query, headers) returns: status, body."""
    started = []

    def start(answer):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                parsed = urlparse(self.path)
                status, body = answer(parsed.path, parse_qs(parsed.query), self.headers)
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

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


def ncmec(failures=0):
    left = [failures]

    def answer(path, query, headers):
        if headers["Authorization"] != "Basic " + base64.b64encode(b"me:secret-word").decode():
            return 401, b""
        if left[0]:
            left[0] -= 1
            return 503, b""
        if "start" not in query:
            first = ENTRY.format("i1", f"<pdq>{PDQ}</pdq><pdna>zzz</pdna>") + ENTRY.format("i2", f"<md5>{GONE}</md5>")
            return 200, PAGE.format(entries=first, video=GONE, next="/v2/entries?start=2&amp;size=1&amp;max=3").encode()
        last = TAKEN_BACK + ENTRY.format("i3", f"<md5>{MD5.upper()}</md5>")
        return 200, PAGE.format(entries=last, video=GONE, next="").encode()

    return answer


def test_ncmec_all_pages_without_what_was_taken_back(service, monkeypatch, tmp_path):
    monkeypatch.setenv("ACCORD_NCMEC", "me:secret-word")
    to = tmp_path / "lists" / "ncmec.txt"
    command.main(["fetch", "ncmec", "--to", str(to), "--address", service(ncmec(failures=2))])
    assert {(one.kind, one.value) for one in hash_lists.read([to])} == {("pdq", PDQ), ("md5", MD5)}
    assert to.stat().st_mode & 0o777 == 0o600


def test_threatexchange_only_what_is_shared_as_malicious(service, monkeypatch, tmp_path):
    def answer(path, query, headers):
        if query.get("access_token") != [token]:
            return 400, b"{}"
        assert path == "/7/threat_updates/"

        def update(name, kind, value, status="MALICIOUS", gone=False):
            return {"id": name, "type": kind, "indicator": value, "should_delete": gone,
                    "descriptors": {"data": [{"status": status}]}}  # fmt: skip

        if "after" not in query:
            more = f"{address}/7/threat_updates/?after=1&access_token={token}"
            data = [update("1", "HASH_PDQ", PDQ), update("2", "HASH_MD5", GONE)]
            return 200, json.dumps({"data": data, "paging": {"next": more}}).encode()
        data = [update("2", "HASH_MD5", GONE, gone=True), update("3", "HASH_MD5", GONE, "NON_MALICIOUS"),
                update("4", "HASH_MD5", MD5)]  # fmt: skip
        return 200, json.dumps({"data": data}).encode()

    token = "123456789|" + "x" * 24
    address = service(answer)
    file = tmp_path / "token"
    file.write_text(token + "\n")
    file.chmod(0o600)
    monkeypatch.setenv("ACCORD_THREATEXCHANGE_FILE", str(file))
    to = tmp_path / "te.txt"
    assert hash_exchange.fetch("threatexchange", to, address=address, group=7) == 2
    assert {(one.kind, one.value) for one in hash_lists.read([to])} == {("pdq", PDQ), ("md5", MD5)}


@pytest.mark.parametrize("answer", [(401, b""), (200, b"<html>no list</html>"), (200, b"not xml")])
def test_a_service_that_gives_no_list_writes_nothing_and_tells_no_secret(service, monkeypatch, tmp_path, answer):
    monkeypatch.setenv("ACCORD_NCMEC", "me:secret-word")
    to = tmp_path / "ncmec.txt"
    to.write_text("pdq " + PDQ)
    with pytest.raises(AccordError, match="returned no") as error:
        hash_exchange.fetch("ncmec", to, address=service(lambda *_: answer))
    assert "secret" not in str(error.value)
    assert to.read_text() == "pdq " + PDQ


def test_without_or_with_open_credentials_nothing_is_asked(monkeypatch, tmp_path):
    monkeypatch.delenv("ACCORD_NCMEC", raising=False)
    with pytest.raises(AccordError, match="ACCORD_NCMEC: is not set"):
        hash_exchange.fetch("ncmec", tmp_path / "x", address="http://127.0.0.1:9")
    file = tmp_path / "open"
    file.write_text("me:secret-word")
    file.chmod(0o644)
    monkeypatch.setenv("ACCORD_NCMEC_FILE", str(file))
    with pytest.raises(AccordError, match="can be read by others"):
        hash_exchange.fetch("ncmec", tmp_path / "x", address="http://127.0.0.1:9")
