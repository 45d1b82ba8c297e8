"""What the page answers where something can't be had or done."""

from fastapi import Request, Response
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException as AnyHTTPException

from accord.errors import AccordError
from accord.review.page.callers import NOT_THERE

MALFORMED = "The request is invalid."
TOLD_APART = (401, 429)
"""Statuses whose answers say more than that something isn't there."""


def problem(request: Request, error: Exception) -> Response:
    """The answer to what can't be had: what isn't there and what one may not see are the same."""
    status = getattr(error, "status_code", 400)
    if isinstance(error, AnyHTTPException) and status in TOLD_APART:
        return JSONResponse({"problem": error.detail}, status, error.headers)
    return JSONResponse({"problem": MALFORMED}, 400) if status == 400 else JSONResponse({"problem": NOT_THERE}, 404)


def refused(request: Request, error: Exception) -> Response:
    """The answer to what is wrong with a decision."""
    assert isinstance(error, AccordError)
    return JSONResponse({"problem": told(error)}, 409)


def told(error: AccordError) -> str:
    """What is wrong, for people."""
    # Where it is wrong can be the id of an item, which has no place outside of the vault.
    return "; ".join(sorted({f"{one.what}{f': {one.hint}' if one.hint else ''}" for one in error.problems}))
