"""The routes of the viewer: who holds the key may look, one picture at a time, as long as everyone in it consents."""

import hmac
import secrets
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, NamedTuple

from fastapi import Depends, FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException as AnyHTTPException

from accord.engine import resources
from accord.errors import AccordError
from accord.look.failures import drawn, worst
from accord.look.failures.drawn import Sources, Wanted
from accord.look.failures.worst import Failure, Found
from accord.look.views import log
from accord.look.views.consented import Consented
from accord.review.page import pictures, refusals, statics
from accord.review.page.guard import Guard, Origin, cookie_of
from accord.review.page.limits import Backoff
from accord.review.page.sessions import Session, Sessions

STATIC = resources.beside(__name__) / "static"
ME = "look"
WRONG_KEY = "This address is out of date: open the one that `accord look` printed."
NOT_NOW = "This picture can't be shown now."
AT_ONCE = 2
"""Pictures that are made at the same time: each takes much memory."""
VARIANTS = {
    "thumb": Wanted(True, True, pictures.THUMB),
    "both": Wanted(True, True, pictures.VIEW),
    "truth": Wanted(True, False, pictures.VIEW),
    "predicted": Wanted(False, True, pictures.VIEW),
    "bare": Wanted(False, False, pictures.VIEW),
}


class Looked(NamedTuple):
    """What is looked at: where the vault lies, of which results and model, and the failures that were found."""

    vault: Path
    sources: Sources
    found: Found


class Shown(NamedTuple):
    """A picture of a failure, by its number, in one of VARIANTS."""

    number: int
    variant: str


class Key(BaseModel):
    """What the page says to be let in."""

    name: str = Field(default="", max_length=10)
    password: str = Field(max_length=200)


class House(NamedTuple):
    """What the routes share."""

    looked: Looked
    consented: Consented
    key: str
    origin: Origin
    sessions: Sessions
    limit: Backoff
    making: threading.BoundedSemaphore


def create(looked: Looked, consented: Consented, origin: Origin, key: str, told: Callable[[str], None]) -> Guard:
    """The page as an ASGI application. `key`: lets somebody in; `told`: takes a line for each failure."""
    sessions = Sessions()
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False)
    limits = Backoff(free=20, longest=60), threading.BoundedSemaphore(AT_ONCE)
    app.state.house = House(looked, consented, key, origin, sessions, *limits)
    for method, path, route in ROUTES:
        app.add_api_route(path, route, methods=[method], response_model=None)
    for path, route in {**statics.routes(), **statics.routes(STATIC)}.items():
        app.add_api_route(path, route, response_model=None)
    app.add_exception_handler(AnyHTTPException, refusals.problem)
    app.add_exception_handler(RequestValidationError, refusals.problem)
    app.add_exception_handler(AccordError, refusals.refused)
    return Guard(app, origin, sessions, told)


def new_key() -> str:
    """A key that nobody guesses."""
    return secrets.token_urlsafe(24)


def house(request: Request) -> House:
    """What the routes share."""
    return request.app.state.house


Shared = Annotated[House, Depends(house)]


def token(request: Request, of: Shared) -> str:
    """The token in the request's cookie; "" where it has none."""
    return cookie_of(request.headers.get("cookie", ""), of.origin.cookie)


Token = Annotated[str, Depends(token)]


def session(of: Shared, token: Token) -> Session:
    """The session of who asks; status 401 where nobody was let in."""
    found = of.sessions.find(token)
    if found is None:
        raise HTTPException(401, WRONG_KEY)
    return found


In = Annotated[Session, Depends(session)]


def me(of: Shared, token: Token) -> Response:
    """Whether who asks was let in, and what their page must send along."""
    if of.sessions.find(token):
        return JSONResponse({"name": ME, "csrf": of.sessions.csrf(token)})
    fresh = of.sessions.token()
    return _with_cookie(JSONResponse({"name": None, "csrf": of.sessions.csrf(fresh)}), of, fresh)


def sign_in(given: Key, of: Shared, token: Token) -> Response:
    """Let in who has the key."""
    wait = of.limit.attempt(ME)
    if wait > 0:
        raise HTTPException(429, f"Too many attempts: wait {wait + 1:.0f} s.", {"Retry-After": f"{wait + 1:.0f}"})
    if not hmac.compare_digest(given.password.encode(), of.key.encode()):
        raise HTTPException(401, WRONG_KEY)
    of.limit.forgive(ME, all_of_them=True)
    of.sessions.end(token)
    fresh = of.sessions.start(ME)
    return _with_cookie(JSONResponse({"name": ME, "csrf": of.sessions.csrf(fresh)}), of, fresh)


def told(by: In, of: Shared) -> dict:
    """What is looked at, and the failures that may be shown now, the worst first; JSON."""
    found = of.looked.found
    may = of.consented.allowed({one.image for one in found.failures})
    shown = [_told(by, number, one) for number, one in enumerate(found.failures) if one.image in may]
    return {
        "title": worst.title(of.looked.sources.model, found),
        "label": found.label, "task": found.task.replace("_", " "), "scored": found.scored,
        "listed": len(found.failures), "failures": shown,
    }  # fmt: skip


def picture(handle: str, by: In, of: Shared) -> Response:
    """A picture, if everyone in it consents now; the view is recorded first."""
    asked = by.handles.find(handle)
    if not isinstance(asked, Shown):
        raise HTTPException(404, NOT_NOW)
    failure = of.looked.found.failures[asked.number]
    shard = of.consented.allowed({failure.image}).get(failure.image)
    log.note(of.looked.vault, failure.image, of.looked.sources.model, shard is not None)
    if shard is None:
        raise HTTPException(404, NOT_NOW)
    with of.making:
        wanted = VARIANTS[asked.variant]
        pixels = drawn.picture(of.looked.sources, shard, failure, wanted)
        return Response(pictures.encoded(pixels, *pictures.QUALITY[wanted.side]), media_type="image/jpeg")


ROUTES = (
    ("GET", "/api/me", me),
    ("POST", "/api/sign-in", sign_in),
    ("GET", "/api/failures", told),
    ("GET", "/picture/{handle}", picture),
)


def _told(by: Session, number: int, one: Failure) -> dict:
    names = {variant: by.handles.give(Shown(number, variant)) for variant in VARIANTS}
    return {"rank": number + 1, "value": one.value, "pictures": names}


def _with_cookie(answer: Response, of: House, token: str) -> Response:
    answer.set_cookie(of.origin.cookie, token, path="/", httponly=True, samesite="strict", secure=of.origin.secure)
    return answer
