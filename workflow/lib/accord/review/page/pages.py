"""The routes of the review page: who may ask for what, and what they get. Everything else isn't there."""

import sqlite3
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

from fastapi import FastAPI, HTTPException, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException as AnyHTTPException

from accord.errors import AccordError
from accord.review.database import accounts, work
from accord.review.page import callers, films, pictures, refusals, shown, statics
from accord.review.page.bodies import MOST_AT_ONCE, AllSaid, Credentials, Said
from accord.review.page.callers import (
    NOT_THERE,
    Adjudicating,
    Administrating,
    Database,
    House,
    Shared,
    Signed,
    Token,
    item,
)
from accord.review.page.guard import Guard, Origin
from accord.review.page.limits import Backoff, network
from accord.review.page.pictures import FILM
from accord.review.page.sessions import Sessions
from accord.review.page.shown import Asked, Shown

SIGN_IN = "Name or password is wrong."
AT_ONCE = 2
"""Passwords that are checked, and pictures that are made, at the same time: each takes much memory."""


def create(
    vault: Path,
    results: Path,
    origin: Origin,
    told: Callable[[str], None] = lambda line: None,
    clock: Callable[[], float] = time.monotonic,
) -> Guard:
    """The page as an ASGI application. `told`: takes a line for each failure, without personal data; `clock`: s."""
    sessions = Sessions(clock=clock)
    limits = Backoff(free=4, longest=300, clock=clock), Backoff(free=20, longest=60, clock=clock)
    turns = threading.BoundedSemaphore(AT_ONCE), threading.BoundedSemaphore(AT_ONCE)
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
    app.state.house = House(vault, origin, sessions, pictures.Pictures(results), films.Films(), *limits, *turns)
    for method, path, route in ROUTES:
        app.add_api_route(path, route, methods=[method], response_model=None)
    for path, route in statics.routes().items():
        app.add_api_route(path, route, response_model=None)
    app.add_exception_handler(AnyHTTPException, refusals.problem)
    app.add_exception_handler(RequestValidationError, refusals.problem)
    app.add_exception_handler(AccordError, refusals.refused)
    return Guard(app, origin, sessions, told)


def me(of: Shared, db: Database, token: Token) -> Response:
    """Who is signed in, and what their page must send along. Whoever isn't gets a token to sign in with."""
    by = callers.signed_in(of, db, token)
    if by is not None:
        return JSONResponse({"name": by.who.name, "role": by.who.role, "csrf": of.sessions.csrf(token)})
    fresh = of.sessions.token()
    return _with_cookie(JSONResponse({"name": None, "csrf": of.sessions.csrf(fresh)}), of, fresh)


def sign_in(given: Credentials, request: Request, of: Shared, db: Database, token: Token) -> Response:
    """Start a session, under a new token. The answer is the same whatever of name and password is wrong."""
    address = network(request.client.host if request.client else "")
    name = given.name.strip().lower()
    # Of a name at an address: what somebody else tries elsewhere keeps nobody out of an account of their own.
    account = f"{address} {name}"
    for limit, key in ((of.by_address, address), (of.by_name, account)):
        wait = limit.attempt(key)
        if wait > 0:
            raise HTTPException(429, f"Too many attempts: wait {wait + 1:.0f} s.", {"Retry-After": f"{wait + 1:.0f}"})
    with of.checking:
        stamp = accounts.stamp(db, name)
        who = accounts.authenticate(db, name, given.password)
    if who is None:
        raise HTTPException(401, SIGN_IN)
    of.by_address.forgive(address)
    of.by_name.forgive(account, all_of_them=True)
    of.sessions.end(token)
    fresh = of.sessions.start(who.name, stamp)
    told = {"name": who.name, "role": who.role, "csrf": of.sessions.csrf(fresh)}
    return _with_cookie(JSONResponse(told), of, fresh)


def sign_out(of: Shared, token: Token) -> Response:
    """End the session."""
    of.sessions.end(token)
    answer = JSONResponse({})
    answer.delete_cookie(of.origin.cookie, path="/", httponly=True, samesite="strict", secure=of.origin.secure)
    return answer


def queues(by: Signed, db: Database) -> dict:
    """All queues, and what waits for who asks."""
    return shown.queues(db, by.who)


def next_item(by: Signed, of: Shared, db: Database, queue: str, after: str = "") -> dict:
    """The next item of a queue that waits for who asks, after one that they name; {"item": null} where none does."""
    found = work.take(db, by.who.name, queue, item(by, after, adjudicate=False))
    if found is None:
        return {"item": None}
    return {"item": shown.item(found, Asked(found.item, False), by.session.handles, of.pictures)}


def vote(given: Said, by: Signed, of: Shared, db: Database) -> dict:
    """Record what who asks decides on an item that they are asked about."""
    one = item(by, given.item, adjudicate=False, needed=True)
    _check_served(one, given, by, of, db)
    work.vote(db, by.who.name, one, given.decision, _regions(given), given.note)
    return {}


def next_items(
    by: Signed,
    of: Shared,
    db: Database,
    queue: str,
    after: str = "",
    count: Annotated[int, Query(ge=1, le=MOST_AT_ONCE)] = 1,
) -> dict:
    """The next items of a queue that wait for who asks, `count` at most, after one that they name."""
    found = work.take_some(db, by.who.name, queue, item(by, after, adjudicate=False), count)
    asked = [(one, Asked(one.item, False)) for one in found]
    return {"items": [shown.item(one, how, by.session.handles, of.pictures) for one, how in asked]}


def vote_all(given: AllSaid, by: Signed, of: Shared, db: Database) -> dict:
    """Record what who asks decides on several items; says how many were not taken, and why."""
    known = [(one, item(by, one.item, adjudicate=False)) for one in given.votes]
    for one, name in known:
        _check_served(name, one, by, of, db)
    ballots = [work.Ballot(name, one.decision, tuple(_regions(one)), one.note) for one, name in known if name]
    refused = work.vote_all(db, by.who.name, ballots)
    told = sorted({NOT_THERE for _, name in known if not name} | {refusals.told(error) for error in refused})
    return {"refused": len(refused) + len(known) - len(ballots), "problems": told}


def next_dispute(by: Adjudicating, of: Shared, db: Database, after: str = "") -> dict:
    """The next disputed item, and the votes on it."""
    found = shown.next_dispute(db, by.who, item(by, after, adjudicate=True))
    if found is None:
        return {"item": None}
    told, votes = found
    one = shown.item(told, Asked(told.item, True), by.session.handles, of.pictures)
    return {"item": {**one, "opinions": [shown.vote(said) for said in votes]}}


def adjudicate(given: Said, by: Adjudicating, of: Shared, db: Database) -> dict:
    """Record what who asks decides on a disputed item."""
    one = item(by, given.item, adjudicate=True, needed=True)
    _check_served(one, given, by, of, db)
    work.adjudicate(db, by.who.name, one, given.decision, _regions(given), given.note)
    return {}


def reviewers(by: Administrating, db: Database) -> dict:
    """All accounts, and how far each is."""
    return {"reviewers": shown.reviewers(db)}


def picture(handle: str, by: Signed, of: Shared, db: Database) -> Response:
    """A picture of an item that who asks may see, now. The same answer where it isn't there, or not for them."""
    found, place = _seen(handle, by, of, db)
    if found.source == FILM:
        raise HTTPException(404, NOT_THERE)
    with of.making:
        return Response(pictures.rendered(place, found.side), media_type="image/jpeg")


def film(handle: str, request: Request, by: Signed, of: Shared, db: Database) -> Response:
    """A part of a painted video of an item that who asks may see, now; as `picture` else."""
    found, place = _seen(handle, by, of, db)
    if found.source != FILM:
        raise HTTPException(404, NOT_THERE)
    served = partial(by.session.served.add, place)
    return films.answer(of.films.opened(place), request.headers.get("range", ""), served)


def _check_served(name: str, given: Said, by: callers.Caller, of: House, db: sqlite3.Connection) -> None:
    one = work.find(db, name)
    films.check_served(one, given.decision, of.pictures.find(FILM, one.image) if one else None, by.session)


def _seen(handle: str, by: callers.Caller, of: House, db: sqlite3.Connection) -> tuple[Shown, pictures.Place]:
    """What a handle shows, and where that lies. Status 404 where it isn't there, or not for who asks."""
    found = by.session.handles.find(handle)
    if isinstance(found, Shown) and shown.may_see(db, by.who, found.asked):
        place = of.pictures.find(found.source, found.image)
        if place is not None:
            return found, place
    raise HTTPException(404, NOT_THERE)


ROUTES = (
    ("GET", "/api/me", me),
    ("POST", "/api/sign-in", sign_in),
    ("POST", "/api/sign-out", sign_out),
    ("GET", "/api/queues", queues),
    ("GET", "/api/queues/{queue}/next", next_item),
    ("GET", "/api/queues/{queue}/some", next_items),
    ("POST", "/api/vote", vote),
    ("POST", "/api/votes", vote_all),
    ("GET", "/api/disputes/next", next_dispute),
    ("POST", "/api/adjudicate", adjudicate),
    ("GET", "/api/reviewers", reviewers),
    ("GET", "/picture/{handle}", picture),
    ("GET", "/film/{handle}", film),
)


def _regions(given: Said) -> list[work.Region]:
    return [work.Region(drawn.kind, tuple(drawn.polygon)) for drawn in given.regions]


def _with_cookie(answer: Response, of: House, token: str) -> Response:
    answer.set_cookie(of.origin.cookie, token, path="/", httponly=True, samesite="strict", secure=of.origin.secure)
    return answer
