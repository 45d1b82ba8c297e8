"""What the page sends: the bodies of its requests."""

from pydantic import BaseModel, Field

MOST_AT_ONCE = 40
"""Items that are shown and decided together."""


class Credentials(BaseModel):
    """What somebody signs in with."""

    name: str = Field(max_length=200)
    password: str = Field(max_length=2000)


class Drawn(BaseModel):
    """A region that somebody drew."""

    kind: str = Field(max_length=200)
    polygon: list[float] = Field(max_length=10_000)


class Said(BaseModel):
    """What somebody decides on an item."""

    item: str = Field(max_length=100)
    decision: str = Field(max_length=20)
    regions: list[Drawn] = Field(default=[], max_length=200)
    note: str = Field(default="", max_length=2000)


class AllSaid(BaseModel):
    """What somebody decides on several items."""

    votes: list[Said] = Field(max_length=MOST_AT_ONCE)
