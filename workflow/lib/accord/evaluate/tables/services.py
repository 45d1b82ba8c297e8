"""The tables of a Rapid Test's pictures: whose they are taken for, the face that all services find, what they say."""

import pandera.pandas as pa

from accord.engine.table import Table


class Queries(Table):
    """One row per picture: the query that it belongs to, which is a subject, and the subject that it shows. The two
    differ where somebody else's picture was mixed in, as a search for a name finds others too."""

    query: str
    image: str = pa.Field(unique=True)
    subject: str


class Unseen(Table):
    """One row per picture of a query of which a service says nothing: it may not be shown to it, the service doesn't
    take it, or the call failed."""

    service: str
    image: str
    reason: str

    class Config(Table.Config):
        unique = ["service", "image"]  # noqa: RUF012


class QueryCopies(Table):
    """One row per picture that is left out of a query as a copy of another one, which stays. found_by: whether the
    whole pictures are alike, or the faces in them; distance: bits by which the PDQ hashes differ."""

    query: str
    image: str = pa.Field(unique=True)
    kept: str
    found_by: str = pa.Field(isin=("picture", "face"))
    distance: int = pa.Field(in_range={"min_value": 0, "max_value": 256})


class FaceIds(Table):
    """One row per (image, service): where the service found the face, px of the downsampled picture; missing where it
    found none, or several, or finds no faces for itself. face: the image's id where all services that find faces found
    this one and no other; else "", and `note` says which service missed it and why. Of one image all services have the
    same face and note."""

    query: str
    image: str
    face: str
    service: str
    x0: float = pa.Field(nullable=True)
    y0: float = pa.Field(nullable=True)
    x1: float = pa.Field(nullable=True)
    y1: float = pa.Field(nullable=True)
    note: str

    class Config(Table.Config):
        unique = ["image", "service"]  # noqa: RUF012


class FacePairs(Table):
    """One row per pair of faces that every service compares: of one query (`within`), or of two (`across`)."""

    left: str
    right: str
    pairs: str = pa.Field(isin=("within", "across"))

    class Config(Table.Config):
        unique = ["left", "right"]  # noqa: RUF012


class Confidences(Table):
    """One row per (service, version, left, right): how alike a service finds two faces; higher is more alike. Missing
    where it gave no score: `status` says why."""

    service: str
    version: str
    left: str
    right: str
    score: float = pa.Field(nullable=True, gt=float("-inf"), lt=float("inf"))
    status: str

    class Config(Table.Config):
        unique = ["service", "version", "left", "right"]  # noqa: RUF012
