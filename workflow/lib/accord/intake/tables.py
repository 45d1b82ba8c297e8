"""The tables that intake produces, for each shard."""

import pandas as pd
import pandera.pandas as pa

from accord.engine.table import LIST_OF_FLOATS, Table

REGION_KINDS = ("bystander", "license_plate", "card", "screen", "logo", "other")
ITEMS = ("delivery", "image", "person", "attribute", "annotation", "form", "annotator", "region", "reference", "video")


class Accepted(Table):
    """One row per accepted image or video: whose, and where its file lies in the shard's bundle.

    `image` and `subject` are opaque ids (`shards.opaque_id` of vendor, delivery or subject reference); `source` is the
    vendor's own reference; `rendered`: whether its delivery says that it is no photograph.
    """

    image: str = pa.Field(unique=True, str_length={"min_value": 1})
    subject: str
    vendor: str
    delivery: str
    source: str
    rendered: bool
    member: str
    offset: int = pa.Field(ge=0)
    size: int = pa.Field(gt=0)
    sha256: str = pa.Field(str_length=64)


class Images(Accepted):
    """One row per accepted image: whose, where its file lies in the shard's bundle, and what its file says.

    width and height: px as stored, before `orientation` (EXIF 1-8) is applied. captured_at: ISO 8601 local time without
    zone, "" where unknown. GPS in degrees.
    """

    media: str = pa.Field(isin=("image/jpeg", "image/png"))
    width: int = pa.Field(gt=0)
    height: int = pa.Field(gt=0)
    orientation: int = pa.Field(in_range={"min_value": 1, "max_value": 8})
    has_exif: bool
    manufacturer: str
    model: str
    software: str
    captured_at: str
    aperture_value: float = pa.Field(nullable=True)
    focal_length: float = pa.Field(nullable=True)
    iso_speed_ratings: float = pa.Field(nullable=True)
    shutter_speed_value: float = pa.Field(nullable=True)
    gps_latitude: float = pa.Field(nullable=True)
    gps_longitude: float = pa.Field(nullable=True)
    location_country: str
    location_country_m49: pd.Int64Dtype = pa.Field(nullable=True)
    location_country_given: str
    location_region: str
    user_date_captured: str
    user_hour_captured: str


FACE = ["face_x", "face_y", "face_width", "face_height"]
PERSON = ["person_x", "person_y", "person_width", "person_height"]


class People(Table):
    """One row per (image, subject in it). Boxes in px of the upright image: x_min, y_min, width, height."""

    image: str
    subject: str
    is_primary: bool
    age: pd.Int64Dtype = pa.Field(nullable=True)
    face_x: float = pa.Field(nullable=True)
    face_y: float = pa.Field(nullable=True)
    face_width: float = pa.Field(nullable=True)
    face_height: float = pa.Field(nullable=True)
    person_x: float = pa.Field(nullable=True)
    person_y: float = pa.Field(nullable=True)
    person_width: float = pa.Field(nullable=True)
    person_height: float = pa.Field(nullable=True)
    face_annotator: str

    class Config(Table.Config):
        unique = ["image", "subject"]  # noqa: RUF012


class Attributes(Table):
    """One row per value of an attribute: a multiple-choice attribute has several. `subject` is "" for the image's own
    attributes (scene, lighting, weather, camera_position); `annotator` is "" where the subject said it.
    Values are FHIBE's numbered labels, such as `1. He/him/his`."""

    image: str
    subject: str
    attribute: str
    value: str
    annotator: str

    class Config(Table.Config):
        unique = ["image", "subject", "attribute", "value"]  # noqa: RUF012


class Keypoints(Table):
    """One row per annotated keypoint (BlazePose 0-32), px of the upright image."""

    image: str
    subject: str
    keypoint: int = pa.Field(in_range={"min_value": 0, "max_value": 32})
    x: float
    y: float
    visible: bool
    annotator: str

    class Config(Table.Config):
        unique = ["image", "subject", "keypoint"]  # noqa: RUF012


class Segments(Table):
    """One row per polygon (FHIBE segment class 0-27): x0, y0, x1, y1, ... px of the upright image."""

    image: str
    subject: str
    segment: int = pa.Field(in_range={"min_value": 0, "max_value": 27})
    num: int = pa.Field(ge=1)
    polygon: object = pa.Field(metadata=LIST_OF_FLOATS)
    annotator: str

    class Config(Table.Config):
        unique = ["image", "subject", "segment", "num"]  # noqa: RUF012


class Regions(Table):
    """One row per region that must be painted out: a polygon x0, y0, x1, y1, ... px of the upright image."""

    image: str
    region: str = pa.Field(unique=True)
    kind: str = pa.Field(isin=REGION_KINDS)
    polygon: object = pa.Field(metadata=LIST_OF_FLOATS)
    annotator: str


class Forms(Table):
    """One row per (form, scope) of everyone whom an image of this shard depicts, and of its rightsholder.

    `subject` is the party's id; `image` is "" where the form holds for all images. Dates are ISO 8601;
    `expires_on` is "" for none; `birth_date` is "" where not given. A copyright form has the scope `copyright`; for all
    images it holds for those whose primary subject is the rightsholder. `notice*`: the text that was agreed to.
    joint: whether several people are declared to have signed the file together. A person whom images of two shards
    depict has their forms in both: read such files one at a time.
    """

    form: str
    kind: str = pa.Field(isin=("consent", "copyright"))
    party: str = pa.Field(isin=("subject_primary", "subject_secondary", "rightsholder"))
    subject: str
    image: str
    scope: str
    signed_on: str
    expires_on: str
    birth_date: str
    notice: str
    notice_version: str
    notice_sha256: str
    language: str
    evidence_sha256: str
    joint: bool

    class Config(Table.Config):
        unique = ["form", "scope"]  # noqa: RUF012


class Annotators(Table):
    """One row per annotator whom this shard's annotations name, with what they disclosed ("" for nothing)."""

    annotator: str = pa.Field(unique=True)
    vendor: str
    role: str = pa.Field(isin=("annotator", "qa"))
    pronoun: str
    age_group: str
    ancestry: str
    nationality: str
    consents: bool


class Checked(Table):
    """One row per annotator who checked (QA) what is said or drawn of an image or a person. `subject` is "" for what is
    said of the image; `attribute`: a name of the vocabulary, or of an archive of FHIBE's also keypoints, segments,
    camera and user_hour_captured."""

    image: str
    subject: str
    attribute: str
    annotator: str

    class Config(Table.Config):
        unique = ["image", "subject", "attribute", "annotator"]  # noqa: RUF012


class Videos(Accepted):
    """One row per accepted video: whose, and where its file lies in the shard's bundle of videos.

    Ids and `source` are as those of Images, with which videos share their references.
    """

    user_date_captured: str


class VideoBoxes(Table):
    """One row per box of a subject in a video: the face or the whole person, at a time in seconds from the start; px of
    the upright frame."""

    image: str
    subject: str
    kind: str = pa.Field(isin=("face", "person"))
    seconds: float = pa.Field(ge=0)
    x: float
    y: float
    width: float = pa.Field(gt=0)
    height: float = pa.Field(gt=0)

    class Config(Table.Config):
        unique = ["image", "subject", "kind", "seconds"]  # noqa: RUF012


class Refused(Table):
    """One row per thing that intake did not take, and why. `image` is the id of the image that it concerns."""

    item: str = pa.Field(isin=ITEMS)
    image: str
    subject: str
    reference: str
    check: str
    reason: str
    fatal: bool
