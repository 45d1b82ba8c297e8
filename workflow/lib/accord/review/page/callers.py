"""Who asks for something on the review page, in which role, and what the routes need to answer them."""

import sqlite3
import threading
from pathlib import Path
from typing import Annotated, NamedTuple

from fastapi import Depends, HTTPException, Request

from accord.review.database import accounts, store
from accord.review.database.accounts import ADJUDICATOR, ADMIN, Reviewer
from accord.review.page import films, pictures
from accord.review.page.guard import Origin, cookie_of
from accord.review.page.limits import Backoff
from accord.review.page.sessions import Session, Sessions
from accord.review.page.shown import Asked

NOT_THERE = "You don't have access to this."


class House(NamedTuple):
    """What the routes share."""

    vault: Path
    origin: Origin
    sessions: Sessions
    pictures: pictures.Pictures
    films: films.Films
    by_name: Backoff
    by_address: Backoff
    checking: threading.BoundedSemaphore
    making: threading.BoundedSemaphore


class Caller(NamedTuple):
    """Who asks: their session, and their account as it is now."""

    session: Session
    who: Reviewer


def house(request: Request) -> House:
    """What the routes share."""
    return request.app.state.house


def token(request: Request) -> str:
    """The token in the request's cookie; "" where it has none."""
    return cookie_of(request.headers.get("cookie", ""), house(request).origin.cookie)


def database(of: Annotated[House, Depends(house)]):
    """The database of reviews, while a request is answered."""
    with store.opened(of.vault) as db:
        yield db


Database = Annotated[sqlite3.Connection, Depends(database)]
Shared = Annotated[House, Depends(house)]
Token = Annotated[str, Depends(token)]


def signed_in(of: House, db: sqlite3.Connection, token: str) -> Caller | None:
    """Who asks; None where they haven't signed in, their session or account has ended, or its password was changed."""
    session = of.sessions.find(token)
    if session is None:
        return None
    if not session.stamp or session.stamp != accounts.stamp(db, session.name):
        of.sessions.end(token)
        return None
    return Caller(session, accounts.known(db, session.name))


def caller(of: Shared, db: Database, token: Token) -> Caller:
    """Who asks; status 401 where nobody is signed in."""
    found = signed_in(of, db, token)
    if found is None:
        raise HTTPException(401, "Sign in first.")
    return found


Signed = Annotated[Caller, Depends(caller)]


def adjudicator(by: Signed) -> Caller:
    """Who asks, if they may adjudicate; else this isn't there."""
    return _with_role(by, ADJUDICATOR, ADMIN)


def administrator(by: Signed) -> Caller:
    """Who asks, if they look after the accounts; else this isn't there."""
    return _with_role(by, ADMIN)


Adjudicating = Annotated[Caller, Depends(adjudicator)]
Administrating = Annotated[Caller, Depends(administrator)]


def item(by: Caller, handle: str, adjudicate: bool, needed: bool = False) -> str:
    """The item that a handle stands for in this session, in this role; "" for none, or status 404 where it must be."""
    found = by.session.handles.find(handle)
    if isinstance(found, Asked) and found.adjudicate == adjudicate:
        return found.item
    if needed:
        raise HTTPException(404, NOT_THERE)
    return ""


def _with_role(by: Caller, *roles: str) -> Caller:
    if by.who.role not in roles:
        raise HTTPException(404, NOT_THERE)
    return by
