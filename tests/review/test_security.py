"""The review page against those who want more than they may have."""

import itertools
import json
import re
import socket

import page_cases
import pytest
import review_cases
from page_cases import HOST, Visitor
from review_cases import PASSWORD

from accord.errors import AccordError
from accord.review.database import accounts, store, work
from accord.review.page import guard, limits, pages, refusals, server, sessions
from accord.review.page.limits import Backoff, Bucket
from accord.review.page.sessions import Handles, Sessions

MARK = "<img src=x onerror=alert(1)>"


@pytest.fixture
def now():
    return [1000.0]


@pytest.fixture
def app(tmp_path, now):
    return page_cases.page(tmp_path, clock=lambda: now[0])


@pytest.fixture
def ada(app):
    return Visitor(app, "ada")


def accepted(visitor, **headers):
    item = visitor.next("web")
    return visitor.post("/api/vote", {"item": item["id"], "decision": "dismiss"}, **headers)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"x_csrf_token": None}, 403),
        ({"x_csrf_token": "0" * 64}, 403),
        ({"origin": None}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://127.0.0.1:8765.evil.example"}, 403),
        ({"origin": "https://127.0.0.1:8765"}, 403),
        ({"origin": "http://[half"}, 403),
        ({"sec_fetch_site": "cross-site"}, 403),
        ({"sec_fetch_site": "same-site"}, 403),
        ({"content_type": "text/plain"}, 415),
        ({"content_type": "application/x-www-form-urlencoded"}, 415),
        ({"host": "evil.example"}, 421),
    ],
)
def test_only_the_page_itself_can_act(app, ada, headers, status):
    assert accepted(ada, **headers).status_code == status
    with store.reading(app.vault) as db:
        assert db.execute("SELECT COUNT(*) FROM vote").fetchone() == (int(status == 200),)


def test_who_is_not_signed_in_sends_no_large_body(app):
    """Nothing of it is read: the length that is told is enough."""
    stranger = Visitor(app)
    most = guard.LARGEST_OF_STRANGERS
    assert stranger.post("/api/sign-in", {"name": "ada", "password": "x" * most}).status_code == 413
    longest = {"name": "\u00e4" * 200, "password": "\u00e4" * 2000}  # as the page may send it at most
    assert stranger.post("/api/sign-in", longest).status_code == 401
    ended = Visitor(app, "ada")
    ended.post("/api/sign-out", {})
    assert ended.post("/api/vote", {"note": "x" * most}).status_code == 413


def test_the_token_of_one_session_is_none_of_another(app, ada):
    assert accepted(Visitor(app, "bob"), x_csrf_token=ada.csrf).status_code == 403


def test_bodies_are_bounded(ada):
    large = {"item": "x", "decision": "drop", "note": "n" * guard.LARGEST}
    assert ada.post("/api/vote", large).status_code == 413
    large["note"] = "n" * (2 * guard.LARGEST_OF_STRANGERS)
    assert ada.post("/api/vote", large).status_code == 400  # read, and too long for a note
    headers = {"origin": HOST, "x-csrf-token": ada.csrf, "content-type": "application/json"}
    endless = ada.client.post("/api/vote", content=(b"x" for _ in range(3)), headers=headers)
    assert endless.status_code == 411
    for length in ({}, {"content-length": "3"}):
        chunked = {**headers, "transfer-encoding": "chunked", **length}
        assert ada.client.post("/api/vote", content=b"{}", headers=chunked).status_code == 411
    for body in (b"{", b"[]", b'{"item": 1}', b"\xff", b'{"item": "x", "decision": "drop", "regions": [{}]}'):
        answer = ada.client.post("/api/vote", content=body, headers=headers)
        assert (answer.status_code, answer.json()) == (400, {"problem": refusals.MALFORMED})


def test_every_answer_carries_the_headers(ada):
    paths = ["/", "/static/main.js", "/api/me", "/api/queues", "/nothing", "/picture/x"]
    item = ada.next("logos")
    paths.append(f"/picture/{item['pictures'][0]['view']}")
    answers = [ada.get(path) for path in paths]
    answers += [ada.post("/api/vote", {}), ada.get("/", headers={"host": "evil.example"})]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src 'self';" in policy and "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy and "require-trusted-types-for 'script'" in policy
        assert answer.headers["x-frame-options"] == "DENY" and answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        static = str(answer.url).endswith("main.js") or (answer.url.path == "/" and answer.status_code == 200)
        assert answer.headers["cache-control"] == ("no-cache" if static else "no-store")
        assert "access-control-allow-origin" not in answer.headers


def test_there_is_no_inline_script_or_style():
    html = (pages.statics.STATIC / "index.html").read_text()
    assert re.findall(r"<script(?![^>]*\bsrc=)", html) == [] and not re.search(r"\son\w+=|<style|style=", html)
    for file in pages.statics.STATIC.glob("*.js"):
        text = file.read_text()
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function", text), (
            file
        )
        assert "http" not in text.replace("http://www.w3.org/2000/svg", ""), f"{file} loads something"


def test_pictures_have_names_that_are_good_in_one_session_alone(app, ada):
    (one,) = ada.next("logos")["pictures"]
    again, bob = Visitor(app, "ada"), Visitor(app, "bob")
    (other,) = again.next("logos")["pictures"]
    assert len(one["view"]) >= 22 and one["view"] != other["view"]
    assert ada.get(f"/picture/{one['view']}").status_code == 200
    assert bob.next("logos") is not None  # bob is asked about the same item
    for visitor in (again, bob, Visitor(app, "eve")):
        assert visitor.get(f"/picture/{one['view']}").status_code == 404
    assert Visitor(app).get(f"/picture/{one['view']}").status_code == 401


def test_absent_and_forbidden_are_one_answer(app, ada):
    item = ada.next("logos")
    absent = ada.get("/picture/AAAAAAAAAAAAAAAAAAAAAA")
    forbidden = Visitor(app, "bob").get(f"/picture/{item['pictures'][0]['view']}")
    nowhere, no_picture = ada.get("/no/such/thing"), ada.get(f"/picture/{item['id']}")
    answers = {(one.status_code, one.text) for one in (absent, forbidden, nowhere, no_picture)}
    assert answers == {(404, json.dumps({"problem": pages.NOT_THERE}, separators=(",", ":")))}


def test_a_picture_is_gone_once_the_item_is_no_more_asked(app, ada):
    bob = Visitor(app, "bob")
    item, his = ada.next("web"), bob.next("web")
    ada.vote(item, "dismiss")
    assert ada.get(f"/picture/{item['pictures'][0]['view']}").status_code == 200  # the vote may still be changed
    bob.vote(his, "dismiss")
    for visitor, seen in ((ada, item), (bob, his)):
        assert visitor.get(f"/picture/{seen['pictures'][0]['view']}").status_code == 404


def test_items_of_others_can_be_neither_seen_nor_decided(tmp_path):
    app = page_cases.page(tmp_path, people=("ada",), votes=1)
    ada, bob = Visitor(app, "ada"), Visitor(app, "bob")
    item = ada.next("logos")
    assert bob.next("logos") is None
    for handle in (item["id"], "logos-0", "", "x" * 100):
        assert bob.post("/api/vote", {"item": handle, "decision": "drop"}).status_code == 404
    assert ada.post("/api/vote", {"item": "logos-0", "decision": "drop"}).status_code == 404
    assert page_cases.settled(app.vault) == {}


def test_a_name_to_vote_with_is_none_to_adjudicate_with(app):
    dan = Visitor(app, "dan")
    for visitor, decision in ((Visitor(app, "ada"), "uphold"), (Visitor(app, "bob"), "dismiss")):
        visitor.vote(visitor.next("logos"), decision)
    item = dan.get("/api/disputes/next").json()["item"]
    assert dan.post("/api/vote", {"item": item["id"], "decision": "drop"}).status_code == 404


def test_nothing_says_what_images_subjects_or_items_are_called(app, ada):
    told = json.dumps([ada.next(queue) for queue in page_cases.CHECKS]) + ada.get("/api/queues").text
    assert not re.search(r"img\d\d|sub\d\d|(logos|web|safety)-\d", told)


@pytest.mark.parametrize(
    "path",
    [
        "/static/", "/static", "/static/..%2fpages.py", "/static/%2e%2e/pages.py", "/static//etc/passwd", "/picture/",
        "/picture/..%2f..%2fimages.tar", "/picture/img00", "/picture/%00", "/api", "/api/", "/docs", "/openapi.json",
        "/redoc", "/api/queues/..%2f/next", "/api/items", "/static/app.css/", "/%2e%2e/vault",
    ],
)  # fmt: skip
def test_there_is_nothing_to_list_and_no_path_to_follow(ada, path):
    assert ada.client.get(path, follow_redirects=False).status_code == 404


def test_other_methods_are_not_there(ada):
    for method in ("HEAD", "OPTIONS", "TRACE"):
        assert ada.client.request(method, "/api/queues").status_code in (403, 404, 415)
    headers = {"origin": HOST, "x-csrf-token": ada.csrf}
    for method in ("PUT", "DELETE", "PATCH"):
        assert ada.client.request(method, "/api/queues", json={}, headers=headers).status_code == 404


def test_guessing_a_password_gets_slower_whoever_it_is(app, now):
    told = {}
    for name in ("ada", "nobody"):
        stranger = Visitor(app)
        answers = [stranger.sign_in(name, "wrong wrong wrong") for _ in range(7)]
        assert [answer.status_code for answer in answers] == [401] * 4 + [429] * 3
        assert "retry-after" in answers[-1].headers
        told[name] = [answer.text for answer in answers]
    assert told["ada"] == told["nobody"]
    assert Visitor(app).sign_in("ada", PASSWORD).status_code == 429  # the right one has to wait, too


def test_guesses_of_others_keep_nobody_out_of_their_account(app, now):
    """They come from ten addresses; she signs in from an eleventh, and each of them has to wait all the same."""
    guessers = [Visitor(app, address=f"192.0.2.{number}") for number in range(10)]
    answers = [guesser.sign_in("ada", "wrong wrong wrong").status_code for guesser in guessers for _ in range(6)]
    assert answers == ([401] * 4 + [429] * 2) * 10
    assert Visitor(app, address="198.51.100.7").sign_in("ada", PASSWORD).status_code == 200
    assert guessers[0].sign_in("ada", PASSWORD).status_code == 429


def test_addresses_of_one_ipv6_network_are_limited_together(app, now):
    def sign_in(address: str, password: str) -> int:
        return Visitor(app, address=address).sign_in("ada", password).status_code

    assert [sign_in(f"2001:db8:1:2:{number}::1", "wrong wrong wrong") for number in range(6)] == [401] * 4 + [429] * 2
    assert sign_in("2001:db8:1:3::1", PASSWORD) == 200 and sign_in("2001:db8:1:2::99", PASSWORD) == 429
    assert limits.network("::ffff:192.0.2.1") != limits.network("::ffff:192.0.2.2")
    assert limits.network("testclient") == "testclient"


def test_wrong_name_wrong_password_and_account_out_of_use_are_one_answer(app):
    with store.opened(app.vault) as db:
        accounts.deactivate(db, "bob")
    answers = [Visitor(app).sign_in(name, word) for name, word in (("ada", "x"), ("none", PASSWORD), ("bob", PASSWORD))]
    assert {(answer.status_code, answer.json()["problem"]) for answer in answers} == {(401, pages.SIGN_IN)}


def test_waits_double_and_end(now):
    backoff = Backoff(free=2, longest=8, quiet=100, clock=lambda: now[0])
    assert [backoff.attempt("a") for _ in range(3)] == [0, 0, 1]
    waits = []
    for _ in range(5):
        waits.append(backoff.attempt("a"))
        now[0] += waits[-1]
        assert backoff.attempt("a") == 0
    assert waits == [1, 2, 4, 8, 8] and backoff.attempt("b") == 0
    backoff.forgive("a", all_of_them=True)
    assert backoff.attempt("a") == 0
    now[0] += 101
    assert [backoff.attempt("b") for _ in range(3)] == [0, 0, 1]


def test_attempts_that_succeed_are_not_held_against_an_address(now):
    backoff = Backoff(free=2, longest=8, clock=lambda: now[0])
    for _ in range(10):
        assert backoff.attempt("a") == 0
        backoff.forgive("a")


def test_a_flood_of_names_fills_no_memory_and_opens_no_door(now, monkeypatch):
    monkeypatch.setattr(limits, "KEYS", 10)
    backoff = Backoff(free=1, longest=60, quiet=100, clock=lambda: now[0])
    assert [backoff.attempt(f"name{number}") for number in range(12)] == [0] * 10 + [60] * 2
    now[0] += 101
    assert backoff.attempt("late") == 0
    bucket = Bucket(1, 1, clock=lambda: now[0])
    assert all(bucket.allows(str(number)) for number in range(50)) and len(bucket._held) <= 10


def test_requests_are_limited(tmp_path, monkeypatch):
    monkeypatch.setattr(guard, "REQUESTS_PER_SECOND", 0)
    monkeypatch.setattr(guard, "REQUESTS_AT_ONCE", 30)
    app = page_cases.page(tmp_path)
    ada = Visitor(app, "ada")
    answers = [ada.get("/api/me").status_code for _ in range(35)]
    assert answers == [200] * 30 + [429] * 5
    assert Visitor(app, "bob").get("/api/me").status_code == 200  # others are not held up


def test_a_bucket_fills_again(now):
    bucket = Bucket(rate=2, burst=3, clock=lambda: now[0])
    assert [bucket.allows("a") for _ in range(4)] == [True, True, True, False]
    now[0] += 0.5
    assert [bucket.allows("a"), bucket.allows("a"), bucket.allows("b")] == [True, False, True]


def test_a_session_ends_when_idle_when_old_and_when_asked_to(app, ada, now):
    now[0] += sessions.IDLE - 1
    assert ada.get("/api/queues").status_code == 200
    now[0] += sessions.IDLE + 1
    assert ada.get("/api/queues").status_code == 401
    bob = Visitor(app, "bob")
    for _ in range(sessions.LONGEST // 1000 + 1):
        now[0] += 1000
        last = bob.get("/api/queues").status_code
    assert last == 401
    cyd = Visitor(app, "cyd")
    cookie = cyd.client.cookies["accord_review"]
    assert cyd.post("/api/sign-out", {}).status_code == 200
    cyd.client.cookies.set("accord_review", cookie)
    assert cyd.get("/api/queues").status_code == 401


def test_the_token_changes_when_somebody_signs_in(app):
    visitor = Visitor(app)
    planted = visitor.client.cookies["accord_review"]
    answer = visitor.sign_in("ada")
    assert visitor.client.cookies["accord_review"] != planted
    victim = Visitor(app)
    victim.client.cookies.set("accord_review", planted)
    assert victim.get("/api/queues").status_code == 401
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie and "path=/" in cookie and "secure" not in cookie


def test_over_tls_the_cookie_is_secure_and_bound_to_the_host(app):
    secure = pages.create(app.vault, app.results, server.origin("127.0.0.1", 8765, True))
    answer = Visitor(secure, host="https://127.0.0.1:8765").get("/api/me")
    assert answer.headers["set-cookie"].startswith("__Host-accord=") and "Secure" in answer.headers["set-cookie"]
    assert answer.headers["strict-transport-security"].startswith("max-age=")


def test_an_account_that_is_put_out_of_use_is_out_at_once(app, ada):
    assert ada.get("/api/queues").status_code == 200
    with store.opened(app.vault) as db:
        accounts.deactivate(db, "ada")
    assert ada.get("/api/queues").status_code == 401 and ada.get("/api/me").json()["name"] is None


def test_sessions_end_when_the_password_is_changed(app, ada):
    elsewhere, bob = Visitor(app, "ada"), Visitor(app, "bob")
    with store.opened(app.vault) as db:
        accounts.set_password(db, "ada", "another horse, another battery")
    for visitor in (ada, elsewhere):
        assert visitor.get("/api/queues").status_code == 401 and visitor.get("/api/me").json()["name"] is None
    assert bob.get("/api/queues").status_code == 200
    again = Visitor(app)
    assert again.sign_in("ada").status_code == 401
    assert again.sign_in("ada", "another horse, another battery").status_code == 200
    assert again.get("/api/queues").status_code == 200


def test_a_password_that_is_changed_while_somebody_signs_in_gives_no_session(app, monkeypatch):
    real = accounts.authenticate

    def slowly(db, name, password):
        found = real(db, name, password)
        accounts.set_password(db, name, "another horse, another battery")
        return found

    visitor = Visitor(app)
    monkeypatch.setattr(accounts, "authenticate", slowly)
    assert visitor.sign_in("ada").status_code == 200
    assert visitor.get("/api/queues").status_code == 401


def test_tokens_and_names_are_unlike_each_other_and_not_kept():
    held = Sessions()
    tokens = [held.start("ada") for _ in range(50)]
    assert len(set(tokens)) == 50 and min(map(len, tokens)) >= 43
    assert not any(token in repr(vars(held)) for token in tokens)
    names = Handles()
    given = [names.give(number) for number in range(sessions.HANDLES + 10)]
    assert names.give(5000) != given[0] and names.find(given[0]) is None and names.find(given[-1]) == len(given) - 1
    assert names.give(len(given) - 1) == given[-1]


def test_broken_cookies_are_nobodys(app):
    for cookie in ("", "accord_review=", "accord_review=\u00e9", "a\x01=b", "accord_review=" + "x" * 9000, ";;;="):
        answer = Visitor(app).client.get("/api/queues", headers={"cookie": cookie.encode("latin-1")})
        assert answer.status_code == 401


def test_failures_tell_nothing(app, ada, monkeypatch):
    def fails(*_, **__):
        raise ValueError(f"ada looked at {MARK}")

    monkeypatch.setattr(pages.shown, "queues", fails)
    answer = ada.get("/api/queues")
    assert answer.status_code == 500 and "ada" not in answer.text
    assert app.failed == ["GET failed: ValueError"]


def test_texts_stay_data(tmp_path):
    given = review_cases.items(
        {"item": "i0", "image": "img00", "reason": MARK, "kind": MARK, "check": MARK}, queue="inpainting"
    )
    app = page_cases.page(tmp_path, items=given)
    answers = []
    for name, decision in (("ada", "uphold"), ("bob", "dismiss")):
        visitor = Visitor(app, name)
        item = visitor.next("inpainting")
        answers.append(visitor.get("/api/queues/inpainting/next"))
        assert (item["reason"], item["kind"]) == (MARK, MARK)
        visitor.vote(item, decision, note=MARK)
    answers.append(Visitor(app, "dan").get("/api/disputes/next"))
    assert MARK in answers[-1].json()["item"]["opinions"][0]["note"]
    assert {answer.headers["content-type"] for answer in answers} == {"application/json"}


def test_warning_where_others_can_read_along(capsys, monkeypatch, tmp_path):
    import uvicorn

    class Server(uvicorn.Server):
        def run(self, sockets):
            ran.append((self.config, sockets[0].getsockname()))

    ran = []
    monkeypatch.setattr(uvicorn, "Server", Server)
    monkeypatch.setattr(server, "is_local", lambda host: host == "127.0.0.1")
    monkeypatch.chdir(tmp_path)
    for host, url, warned in (("127.0.0.1", "", False), ("127.0.0.2", "", True), ("127.0.0.2", "https://x.org", False)):
        server.serve([], host, 18765, url=url)
        assert ("WARNING" in capsys.readouterr().err) == warned
        assert ran[-1][1] == (host, 18765)
    assert all(config.access_log is False and config.proxy_headers is False for config, _ in ran)


def test_what_can_not_be_served_is_told_as_it_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        one.listen()
        with pytest.raises(AccordError, match="--host and --port: can't listen there"):
            server.serve([], port=one.getsockname()[1])
        port = one.getsockname()[1]
    (tmp_path / "cert.pem").write_text("no certificate")
    with pytest.raises(AccordError, match="--cert and --key: can't be used"):
        server.serve([], port=port, cert=tmp_path / "cert.pem", key=tmp_path / "cert.pem")


def test_the_vote_of_one_is_not_told_to_the_other(app, ada):
    item = ada.next("logos")
    ada.vote(item, "uphold", note="only ada knows")
    with store.reading(app.vault) as db:
        assert work.waiting(db, "bob")["logos"] == 3
    bob = Visitor(app, "bob")
    told = [bob.get(path).text for path in ("/api/queues", "/api/queues/logos/next")]
    assert not any(word in text for word, text in itertools.product(("only ada knows", "upheld", "ada"), told))
