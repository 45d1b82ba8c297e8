"""Weights are fetched from a server, checked, locked by a person's command, and left out of a run where they lack."""

import hashlib
import json
import re
import socket
import ssl
import threading
import urllib.error
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from accord.engine import provenance, step, table
from accord.errors import AccordError
from accord.evaluate import command, fetch
from accord.evaluate.tables.weights import Fetched
from accord.models import download, guarded_http, lock, registry

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "workflow/schemas/models.schema.yaml"
NET = bytes(range(256)) * 4000
SUM = hashlib.sha256(NET).hexdigest()


class Hub(BaseHTTPRequestHandler):
    """A hub of one repository, a/b; what it does is told by the server's `mood`."""

    def do_GET(self):
        self.server.asked.append((self.path, dict(self.headers)))
        mood = self.server.mood.pop(0) if self.server.mood else "well"
        if self.path == "/moved/net.bin":
            self.send_response(302)
            self.send_header("Location", self.server.elsewhere)
            self.end_headers()
        elif isinstance(mood, int):
            self.send_error(mood)
        elif self.path != "/a/b/resolve/v1%2Ffix/sub/net.bin":
            self.send_error(404)
        else:
            self.answer(mood)

    def answer(self, mood):
        start = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").rstrip("-"))
        start *= self.headers.get("If-Range") == '"one"'
        self.send_response(206 if start else 200)
        self.send_header("ETag", '"one"')
        self.send_header("X-Repo-Commit", "c0ffee")
        self.send_header("Content-Length", str(len(NET) - start))
        self.end_headers()
        self.wfile.write(NET[start : start + {"well": len(NET), "cut": 300_000, "stuck": 0}[mood]])

    def log_message(self, *_):
        pass


class Proxy(BaseHTTPRequestHandler):
    """A proxy that passes every connection on to the server's `to`."""

    def do_CONNECT(self):
        self.server.asked.append((self.path, self.headers["Proxy-Authorization"]))
        self.send_response(200)
        self.end_headers()
        with socket.create_connection(self.server.to) as to:
            back = threading.Thread(target=pass_on, args=(to, self.connection))
            back.start()
            pass_on(self.connection, to)
            back.join()
        self.close_connection = True

    def log_message(self, *_):
        pass


def pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


@contextmanager
def serving(handler, context=None):
    """A server of this machine; context: of its encryption."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    server.asked, server.mood, server.elsewhere = [], [], ""
    server.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def hub():
    with serving(Hub) as server:
        yield server


def self_signed(host: str, folder: Path) -> tuple[Path, Path]:
    """Files of a key and of a certificate of a host."""
    key = ec.generate_private_key(ec.SECP256R1())
    name, now = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, host)]), datetime.now(UTC)
    unsigned = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    unsigned = unsigned.serial_number(1).not_valid_before(now - timedelta(1)).not_valid_after(now + timedelta(1))
    unsigned = unsigned.add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    (folder / "key.pem").write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))
    (folder / "cert.pem").write_bytes(unsigned.sign(key, hashes.SHA256()).public_bytes(pem))
    return folder / "key.pem", folder / "cert.pem"


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(download, "PAUSE", 0.0)
    monkeypatch.setattr(download.time, "sleep", lambda _: None)
    monkeypatch.delenv("HF_TOKEN", raising=False)


def entry(**told) -> dict:
    file = {"hub": "a/b", "revision": "v1/fix", "path": "sub/net.bin", "sha256": SUM, **told}
    of = {"task": "face_localization", "adapter": "accord.evaluate.adapters.opencv:YuNet", "licence": "MIT"}
    return {**of, "source": "here", "weights": {"net": file}}


def test_a_file_is_fetched_from_its_revision_and_told(hub, tmp_path):
    told = fetch.run(entries={"m": entry()}, weights=tmp_path, hub=hub.address)
    assert (tmp_path / "a/b/sub/net.bin").read_bytes() == NET
    [row] = told.to_dict("records")
    of = {"model": "m", "file": "net", "source": "a/b@v1/fix:sub/net.bin", "revision": "c0ffee"}
    assert row == {**of, "sha256": SUM, "bytes": len(NET), "stated": True}
    fetch.run(entries={"m": entry()}, weights=tmp_path, hub=hub.address)
    assert len(hub.asked) == 1


def test_the_step_of_the_workflow_fetches_and_records_what_it_fetched(hub, tmp_path):
    out = tmp_path / "fetched.parquet"
    flags = ["--entries", json.dumps({"m": entry()}), "--weights", str(tmp_path / "weights"), "--hub", hub.address]
    step.run_step("evaluate.fetch", [*flags, "--out", str(out)])
    assert table.read([out], Fetched)["sha256"].tolist() == [SUM]
    record = provenance.of(out)
    assert record["params"]["weights"] == "weights"
    assert record["params"]["entries"]["m"]["weights"]["net"]["sha256"] == SUM


def test_what_was_cut_short_goes_on_where_it_stopped(hub, tmp_path):
    hub.mood = ["cut", "cut", 503]
    got = download.download(f"{hub.address}/a/b/resolve/v1%2Ffix/sub/net.bin", tmp_path / "net", SUM)
    assert got.sha256 == SUM
    assert [headers.get("Range") for _, headers in hub.asked] == [
        None,
        "bytes=300000-",
        "bytes=600000-",
        "bytes=600000-",
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["net"]


@pytest.mark.parametrize(
    ("mood", "told", "asked"),
    [
        ([500] * 5, "answers 500 Internal Server Error", 5),
        ([404], "answers 404 Not Found\n    hint: check that the repository, the revision and the path exist", 1),
        ([403], "hint: you may have to accept the owner's terms, then set HF_TOKEN", 1),
        (["stuck"] * 5, "can't be reached (the connection ended early)", 5),
    ],
)
def test_a_server_that_fails_leaves_nothing_behind(hub, tmp_path, mood, told, asked):
    hub.mood = mood
    with pytest.raises(AccordError) as error:
        download.download(f"{hub.address}/a/b/resolve/v1%2Ffix/sub/net.bin", tmp_path / "net", None)
    assert told in str(error.value)
    assert len(hub.asked) == asked
    assert list(tmp_path.iterdir()) == []


def test_another_sum_than_the_stated_one_is_not_kept_and_does_not_harm_what_is_there(hub, tmp_path):
    kept = tmp_path / "a/b/sub/net.bin"
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"mine")
    with pytest.raises(AccordError, match=f"sent a file with sha256 {SUM[:12]}..., but 000000000000... was expected"):
        fetch.run(entries={"m": entry(sha256="0" * 64)}, weights=tmp_path, hub=hub.address)
    assert [path.name for path in kept.parent.iterdir()] == ["net.bin"]
    assert kept.read_bytes() == b"mine"


def test_all_files_that_could_not_be_had_are_told_and_the_others_fetched(hub, tmp_path):
    entries = {"good": entry(), "one": entry(path="x"), "two": entry(path="y")}
    with pytest.raises(AccordError, match="2 problems found"):
        fetch.run(entries=entries, weights=tmp_path, hub=hub.address)
    assert (tmp_path / "a/b/sub/net.bin").is_file()


def test_a_host_that_can_t_be_reached_is_tried_twice_and_told_once_for_all_its_files(tmp_path, monkeypatch):
    tries, waited = [], []
    monkeypatch.setattr(download.time, "sleep", waited.append)
    monkeypatch.setattr(download, "_open", lambda url, *args: refuse(tries, url))
    entries = {"m": entry(), "n": {"weights": {k: entry(path=k)["weights"]["net"] for k in ("x", "y")}}}
    with pytest.raises(AccordError) as error:
        fetch.run(entries=entries, weights=tmp_path, hub="https://hub.invalid")
    assert len(tries) == 2 and sum(waited) <= 2
    [problem] = error.value.problems
    assert problem.where == "hub.invalid"
    assert problem.what == "can't be reached (Name or service not known); not fetched: m.net, n.x, n.y"


def refuse(tries, url):
    tries.append(url)
    raise urllib.error.URLError("Name or service not known")


def test_without_a_configuration_all_models_that_are_described_are_listed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert command.main(["list"]) == 0
    told = capsys.readouterr()
    assert {line.split()[0] for line in told.out.splitlines()} == set(
        yaml.safe_load((ROOT / "config/models.yaml").read_text())
    )
    assert "no model is given, and the configuration lists none" in told.err
    for do in ("fetch", "lock"):
        with pytest.raises(AccordError, match=f"accord weights {do}: no model is given, and the configuration lists"):
            command.main([do])


def test_a_token_goes_to_the_hub_and_to_no_other_host(hub, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "secret")
    hub.elsewhere = hub.address.replace("127.0.0.1", "localhost") + "/a/b/resolve/v1%2Ffix/sub/net.bin"
    download.download(f"{hub.address}/moved/net.bin", tmp_path / "net", SUM, token="secret")
    assert [headers.get("Authorization") for _, headers in hub.asked] == ["Bearer secret", None]


def test_a_token_that_no_header_can_have_is_not_told(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_TOKEN", "SECRET\nx")
    with pytest.raises(AccordError, match="the environment variable HF_TOKEN has a line break") as error:
        fetch._downloaded({"hub": "a/b", "path": "net.bin", "sha256": None}, tmp_path / "net", "https://hub.example")
    assert "SECRET" not in str(error.value)


@pytest.mark.parametrize("there", ["http://example.org/net", "file:///etc/passwd", "ftp://127.0.0.1/net"])
def test_only_addresses_that_can_be_trusted_are_asked_or_followed(hub, tmp_path, there):
    with pytest.raises(AccordError, match="unsupported URL: https required"):
        download.download(there, tmp_path / "net", None)
    hub.elsewhere = there
    with pytest.raises(AccordError, match=r"unsupported URL: https required|is not allowed"):
        download.download(f"{hub.address}/moved/net.bin", tmp_path / "net", None)


INSIDE = {
    "intranet.example": ["10.1.2.3"],
    "both.example": ["93.184.216.34", "192.168.0.1"],
    "metadata.example": ["169.254.169.254"],
    "mapped.example": ["::ffff:127.0.0.1"],
    "six.example": ["fe80::1%eth0"],
    "unique.example": ["fd00::1"],
    "shared.example": ["100.64.0.1"],
    "translated.example": ["64:ff9b::a00:1"],
}
"""Names of machines that aren't public."""


def inside() -> list[str]:
    plain = ["127.0.0.1", "127.1.2.3", "10.0.0.1", "172.16.0.9", "192.168.1.1", "169.254.169.254", "0.0.0.0", "[::1]"]
    return [f"https://{host}/net.bin" for host in (*INSIDE, *plain, "[fe80::1]", "[fd12::1]", "[::ffff:10.0.0.1]")]


def resolve(host: str) -> list[str]:
    return INSIDE.get(host, [host])


@pytest.mark.parametrize("there", inside())
def test_weights_come_from_public_machines_at_each_redirect(hub, tmp_path, monkeypatch, there):
    monkeypatch.setattr(guarded_http, "addresses", resolve)
    asked = []
    monkeypatch.setattr(guarded_http, "encrypted", lambda *told: asked.append(told))
    host = re.escape(urlsplit(there).hostname)
    hub.elsewhere = there
    for url in (there, f"{hub.address}/moved/net.bin"):
        what = rf"{re.escape(url)}: leads to {host}, which isn't a public machine\n    hint: weights come from public"
        with pytest.raises(AccordError, match=what):
            download.download(url, tmp_path / "net", None)
    assert asked == [] and not (tmp_path / "net").exists()


def test_a_redirect_stays_on_the_server_of_this_machine_that_was_named(hub, tmp_path):
    with serving(Hub) as other:
        other.elsewhere = f"{hub.address}/a/b/resolve/v1%2Ffix/sub/net.bin"
        with pytest.raises(AccordError, match=r"leads to 127\.0\.0\.1, which isn't a public machine"):
            download.download(f"{other.address}/moved/net.bin", tmp_path / "net", None)
    assert hub.asked == []
    hub.elsewhere = "/moved/net.bin"
    with pytest.raises(AccordError, match="redirects more than 10 times"):
        download.download(f"{hub.address}/moved/net.bin", tmp_path / "net", None)


@pytest.mark.parametrize(
    ("url", "what"),
    [
        ("https:///net.bin", "has no host"),
        ("https://:443/net.bin", "has no host"),
        ("https:net.bin", "has no host"),
        ("https://ann:word@example.org/net.bin", "has a user's name in it"),
        ("https://example.org:99999/net.bin", "is no URL"),
        ("https://[half/net.bin", "is no URL"),
        ("", "unsupported URL: https required"),
    ],
)
def test_an_address_without_a_host_is_refused(hub, tmp_path, url, what):
    with pytest.raises(AccordError, match=what):
        download.download(url, tmp_path / "net", None)
    if url:
        hub.elsewhere = url
        with pytest.raises(AccordError, match=what):
            download.download(f"{hub.address}/moved/net.bin", tmp_path / "net", None)


@pytest.fixture
def mirror(tmp_path_factory, monkeypatch):
    """A hub in this network, encrypted: `hub.example`, on a port of its own."""
    key, certificate = self_signed("hub.example", tmp_path_factory.mktemp("tls"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    monkeypatch.setattr(guarded_http, "addresses", lambda host: {"hub.example": ["127.0.0.1"]}.get(host, [host]))
    with serving(Hub, context) as server:
        server.address = f"https://hub.example:{server.server_port}"
        yield server


def test_a_hub_in_ones_own_network_is_the_one_that_the_settings_name(mirror, tmp_path):
    fetch.run(entries={"m": entry()}, weights=tmp_path, hub=mirror.address)
    assert (tmp_path / "a/b/sub/net.bin").read_bytes() == NET
    url = {"url": f"{mirror.address}/a/b/resolve/v1%2Ffix/sub/net.bin", "path": "other.bin", "sha256": None}
    with pytest.raises(AccordError, match=r"leads to hub\.example, which isn't a public machine"):
        fetch.run(entries={"m": {"weights": {"net": url}}}, weights=tmp_path, hub=mirror.address)
    assert len(mirror.asked) == 1


def test_a_proxy_passes_an_encrypted_connection_on_but_not_to_this_network(mirror, tmp_path, monkeypatch):
    with serving(Proxy) as proxy:
        proxy.to = ("127.0.0.1", mirror.server_port)
        monkeypatch.setenv("https_proxy", f"http://ann:s%20t@127.0.0.1:{proxy.server_port}")
        monkeypatch.delenv("no_proxy", raising=False)
        fetch.run(entries={"m": entry()}, weights=tmp_path, hub=mirror.address)
        with pytest.raises(AccordError, match=r"leads to 10\.0\.0\.1, which isn't a public machine"):
            download.download("https://10.0.0.1/net", tmp_path / "net", None)
    assert proxy.asked == [(f"hub.example:{mirror.server_port}", "Basic YW5uOnMgdA==")]
    assert (tmp_path / "a/b/sub/net.bin").read_bytes() == NET


@pytest.fixture
def project(hub, tmp_path, monkeypatch):
    """A folder with a configuration of two models: one's sum is not stated, the other's weights are in a package."""
    monkeypatch.chdir(tmp_path)
    Path("config").mkdir()
    packaged = yaml.safe_load((ROOT / "config/models.yaml").read_text())["yunet"]
    Path("config/models.yaml").write_text(yaml.safe_dump({"m": entry(sha256=None), "yunet": packaged}))
    settings = {"models": "config/models.yaml", "run": ["m", "yunet"], "weights": "weights", "hub": hub.address}
    settings |= {"lock": "config/weights.lock.yaml"}
    Path("config/config.yaml").write_text(yaml.safe_dump({"evaluate": settings}))
    return settings


def available(settings: dict) -> registry.Models:
    return registry.available(registry.read(settings, SCHEMA), Path(settings["weights"]))


def test_from_nothing_to_a_model_that_runs_with_a_lock_to_review(project, capsys):
    found = available(project)
    assert list(found.entries) == ["yunet"]
    assert found.told["m"]["missing"] == ["its weights are missing: looked for weights/a/b/sub/net.bin"]
    assert command.main(["list"]) == 1
    assert "looked for weights/a/b/sub/net.bin" in capsys.readouterr().out

    assert command.main(["fetch"]) == 0
    assert "not locked yet: accord weights lock m" in capsys.readouterr().out
    found = available(project)
    assert list(found.entries) == ["yunet"]
    assert "its weights weights/a/b/sub/net.bin have no recorded sha256" in str(found.missing["m"][0])

    assert command.main(["lock", "m"]) == 0
    locked = yaml.safe_load(Path(project["lock"]).read_text())
    assert locked == {"m": {"net": {"bytes": len(NET), "sha256": SUM, "source": "a/b@v1/fix:sub/net.bin"}}}
    found = available(project)
    assert list(found.entries) == ["m", "yunet"]
    assert json.loads(found.spec("m"))["weights"]["net"]["sha256"] == SUM
    assert command.main(["list"]) == 0
    assert command.main(["lock", "m"]) == 0
    assert "nothing to lock" in capsys.readouterr().out


def test_no_model_is_missing_where_none_is_wanted(project):
    assert available({**project, "run": []}).told == {}


def test_the_model_that_paints_is_fetched_with_those_of_the_run(project, capsys):
    config = yaml.safe_load(Path("config/config.yaml").read_text())
    config["evaluate"]["run"] = ["yunet"]
    for painter, listed in (("m", True), ("embedded", False), ("models/mine", False)):
        Path("config/config.yaml").write_text(yaml.safe_dump({**config, "privacy": {"model": painter}}))
        assert command.main(["list"]) == int(listed)
        assert ("weights/a/b/sub/net.bin" in capsys.readouterr().out) is listed


def test_weights_that_detectors_begin_with_are_fetched_with_those_of_the_run(project, capsys):
    config = yaml.safe_load(Path("config/config.yaml").read_text())
    config["train"] = {"models": {"small": {"detector": "Xception", "weights": "m"}}}
    for run in (["yunet"], ["yunet", "m"]):
        config["evaluate"]["run"] = run
        Path("config/config.yaml").write_text(yaml.safe_dump(config))
        assert command.main(["list"]) == 1
        assert capsys.readouterr().out.count("weights/a/b/sub/net.bin") == 1


def test_a_file_that_changed_since_it_was_locked_is_locked_again_only_on_demand(project):
    command.main(["fetch", "m"])
    command.main(["lock", "m"])
    before = Path(project["lock"]).read_text()
    Path("weights/a/b/sub/net.bin").write_bytes(b"other")
    with pytest.raises(AccordError, match="its net differs from the locked file"):
        command.main(["lock", "m"])
    assert Path(project["lock"]).read_text() == before
    assert command.main(["lock", "m", "--replace"]) == 0
    assert lock.read(Path(project["lock"]))["m"]["net"]["sha256"] == hashlib.sha256(b"other").hexdigest()


def test_a_file_that_is_not_there_can_not_be_locked_and_the_lock_is_left_alone(project):
    with pytest.raises(
        AccordError, match=r"is missing sub/net\.bin, which can't be locked\n    hint: on a machine with network"
    ):
        command.main(["lock", "m"])
    document = yaml.safe_load(Path(project["models"]).read_text())
    document["m"]["weights"]["net"] = {"path": "mine.bin", "sha256": None}
    Path(project["models"]).write_text(yaml.safe_dump(document))
    with pytest.raises(AccordError, match=r"is missing mine\.bin, which can't be locked\n    hint: put it in weights"):
        command.main(["lock", "m"])
    assert not Path(project["lock"]).exists()


def test_a_lock_speaks_of_the_file_that_it_was_made_for(project):
    command.main(["fetch", "m"])
    command.main(["lock", "m"])
    document = yaml.safe_load(Path(project["models"]).read_text())
    document["m"]["weights"]["net"]["revision"] = "v2"
    Path(project["models"]).write_text(yaml.safe_dump(document))
    with pytest.raises(AccordError, match=r"m\.net: was locked for a/b@v1/fix:sub/net\.bin, but .* a/b@v2:sub/net"):
        available(project)
    document["m"]["weights"]["net"] |= {"revision": "v1/fix", "sha256": "0" * 64}
    Path(project["models"]).write_text(yaml.safe_dump(document))
    with pytest.raises(AccordError, match=r"has different checksums in the lock file and in models\.yaml"):
        available(project)
    Path(project["lock"]).write_text("m: [1]")
    with pytest.raises(AccordError, match=r"weights\.lock\.yaml: is not a valid lock file of weights"):
        available(project)


def test_a_run_of_which_no_model_is_there_does_not_start(project):
    with pytest.raises(AccordError, match="model m: its weights are missing"):
        available({**project, "run": ["m"]})


@pytest.mark.parametrize(
    "file",
    [
        {"package": "cv2", "path": "x", "sha256": None},
        {"hub": "a/b", "url": "https://example.org/x", "path": "x", "sha256": None},
        {"path": "x", "sha256": None, "revision": "v1"},
        {"url": "http://example.org/x", "path": "x", "sha256": None},
        {"url": "file:///x", "path": "x", "sha256": None},
    ],
)
def test_files_that_are_told_in_two_ways_or_unsafely_are_refused(file, tmp_path):
    path = tmp_path / "models.yaml"
    path.write_text(yaml.safe_dump({"m": {**entry(), "weights": {"net": file}}}))
    with pytest.raises(AccordError, match=r"m\.weights\.net"):
        registry.read({"models": str(path), "run": ["m"]}, SCHEMA)
