"""The tables that checks produces."""

import pandera.pandas as pa

from accord.engine.table import BYTES, FLOAT_VECTOR, HEXADECIMAL, LIST_OF_FLOATS, Table
from accord.findings import Findings
from accord.intake.tables import REGION_KINDS, Images
from accord.intake.tables import Regions as DrawnRegions
from accord.review.tables import Decisions, Items

__all__ = [
    "Answers",
    "Clothes",
    "CropRecall",
    "Decisions",
    "FaceRates",
    "Faces",
    "Findings",
    "Fingerprints",
    "Images",
    "Items",
    "LogosSeen",
    "Looks",
    "Occasions",
    "Pairs",
    "Proposals",
    "Regions",
    "Texts",
    "Verdicts",
    "VideoWaterfall",
    "Waterfall",
]


PAIR_KINDS = ("exact", "near", "crop", "cross_subject", "same_subject")


class Fingerprints(Table):
    """One row per image that decodes: what its pixels say. `pdq`: 64 hexadecimal digits; `turned`: of the picture
    mirrored, upside down and half turned; `pixels`: sha256 of the upright RGB pixels; width and height upright, px;
    sharpness: variance of the Laplacian at 512 px; `encoding`: quality of the JPEG, 100 where nothing was lost."""

    image: str = pa.Field(unique=True)
    subject: str
    pixels: str = pa.Field(str_length=64)
    pdq: str = pa.Field(str_length=64, str_matches=HEXADECIMAL)
    turned: str = pa.Field(str_length=192, str_matches=HEXADECIMAL)
    pdq_quality: int = pa.Field(in_range={"min_value": 0, "max_value": 100})
    phash: str = pa.Field(str_length=16)
    width: int = pa.Field(gt=0)
    height: int = pa.Field(gt=0)
    sharpness: float = pa.Field(ge=0)
    brightness: float = pa.Field(in_range={"min_value": 0, "max_value": 255})
    encoding: int = pa.Field(in_range={"min_value": 0, "max_value": 100})


class Looks(Table):
    """One row per image that decodes: how it looks, as a whole and in parts, to find what was cut out of it.

    `vector`: five embeddings of equal length, each of length 1, one after the other: of the whole picture and of four
    overlapping corners (accord.checks.matching.looks). `points`: x, y of n keypoints, little-endian float32, px of a
    thumbnail; `descriptors`: n times 128 bytes of SIFT; `luma`: the thumbnail at `luma_scale`, one byte per pixel,
    `luma_width` wide."""

    image: str = pa.Field(unique=True)
    subject: str
    vector: object = pa.Field(metadata=FLOAT_VECTOR)
    points: object = pa.Field(metadata=BYTES)
    descriptors: object = pa.Field(metadata=BYTES)
    luma: object = pa.Field(metadata=BYTES)
    luma_width: int = pa.Field(gt=0)
    luma_scale: float = pa.Field(gt=0, le=1)


class Faces(Table):
    """One row per (image, subject) with a face that an embedder makes something of, and consent to biometrics.

    `vector`: of length 1. `side`: shorter side of the annotated face box, px; sharpness: variance of the Laplacian,
    brightness: mean luma, of that box at 112 px."""

    image: str
    subject: str
    vector: object = pa.Field(metadata=FLOAT_VECTOR)
    side: float = pa.Field(gt=0)
    sharpness: float = pa.Field(ge=0)
    brightness: float = pa.Field(in_range={"min_value": 0, "max_value": 255})

    class Config(Table.Config):
        unique = ["image", "subject"]  # noqa: RUF012


class FaceRates(Table):
    """One row per rate of false matches: from which cosine on the faces of two subjects stay below it, as these data
    can tell. `comparisons` of faces of two subjects, `accepted` of them at or above `threshold`; `upper`: upper end of
    the one-sided 95% interval (Clopper-Pearson) of their share; `threshold` is missing where even no false match among
    so many comparisons would not show a rate that low (`resolved`)."""

    fmr: float = pa.Field(gt=0, lt=1, unique=True)
    threshold: float = pa.Field(nullable=True)
    comparisons: int = pa.Field(ge=0)
    accepted: int = pa.Field(ge=0)
    upper: float = pa.Field(in_range={"min_value": 0, "max_value": 1})
    resolved: bool


class CropRecall(Table):
    """How much of what looks alike the search for crops compared: one row of all pictures, one of the twentieth of
    which its short vectors keep least, and one of that of which they keep least beside how far neighbours are. No row
    where all are compared with all.

    `drawn`: pictures that were drawn by lot of these `images`, and compared with all others; `pairs`: with the ten that
    look most alike, of a cosine of 0.4 at least; `found`: of these, those that were compared in any case; `recall`
    their share, with its 95% interval (of a mean between 0 and 1; pictures are the units)."""

    drawn_from: str = pa.Field(isin=("all", "least kept", "least kept of near ones"), unique=True)
    images: int = pa.Field(ge=0)
    drawn: int = pa.Field(ge=0)
    pairs: int = pa.Field(ge=0)
    found: int = pa.Field(ge=0)
    recall: float = pa.Field(nullable=True, in_range={"min_value": 0, "max_value": 1})
    low: float = pa.Field(nullable=True, in_range={"min_value": 0, "max_value": 1})
    high: float = pa.Field(nullable=True, in_range={"min_value": 0, "max_value": 1})


class Texts(Table):
    """One row per line of text that is read in an image. `polygon`: its four corners, px of the upright image."""

    image: str
    line: int = pa.Field(ge=0)
    polygon: object = pa.Field(metadata=LIST_OF_FLOATS)
    text: str
    score: float = pa.Field(in_range={"min_value": 0, "max_value": 1})

    class Config(Table.Config):
        unique = ["image", "line"]  # noqa: RUF012


class LogosSeen(Table):
    """One row per logo that a detector sees in an image. `polygon`: px of the upright image; `letters`: outline of what
    was read in it, which regions must cover, empty where that is the polygon; `reason`: what it is taken for, without
    the text that was read."""

    image: str
    number: int = pa.Field(ge=0)
    kind: str = pa.Field(isin=REGION_KINDS)
    polygon: object = pa.Field(metadata=LIST_OF_FLOATS)
    letters: object = pa.Field(metadata=LIST_OF_FLOATS)
    detector: str
    score: float = pa.Field(in_range={"min_value": 0, "max_value": 1})
    threshold: float = pa.Field(in_range={"min_value": 0, "max_value": 1})
    reason: str

    class Config(Table.Config):
        unique = ["image", "number"]  # noqa: RUF012


class Clothes(Table):
    """One row per image in which somebody is outlined: what the primary subject wears, and where nobody is.

    `garments`: FHIBE's numbers of the garments that are seen; `colours`: for each of them 5 quantiles of L*, a*, b*,
    one after the other; `beside`: one byte per keypoint of table Looks, 1 where it lies beside all people."""

    image: str = pa.Field(unique=True)
    garments: object = pa.Field(metadata=LIST_OF_FLOATS)
    colours: object = pa.Field(metadata=LIST_OF_FLOATS)
    beside: object = pa.Field(metadata=BYTES)


class Proposals(Table):
    """One row per region in which a detector sees what may have to be painted out, for a person to confirm.

    `region`: opaque id of image, detector and place; `covered`: share of its area, 0 to 1, that regions drawn by
    annotators cover already; `reason`: what it is taken for, without the text that was read.
    """

    image: str
    region: str = pa.Field(unique=True)
    kind: str = pa.Field(isin=REGION_KINDS)
    polygon: object = pa.Field(metadata=LIST_OF_FLOATS)
    detector: str
    score: float = pa.Field(in_range={"min_value": 0, "max_value": 1})
    threshold: float = pa.Field(in_range={"min_value": 0, "max_value": 1})
    covered: float = pa.Field(in_range={"min_value": 0, "max_value": 1})
    reason: str


PAINTED_OVER, KEPT, ASKED = SEGMENTS_IN = ("painted", "kept", "asked")


class Regions(DrawnRegions):
    """One row per region that must be painted out, and what becomes of subjects' segments in it.

    `segments`: `painted` over as all the rest (what annotators or people outlined); `kept`, since people decided so;
    or kept, and people are `asked` when they see what was painted (what detectors proposed).
    """

    segments: str = pa.Field(isin=SEGMENTS_IN)


class Answers(Table):
    """One row per thing that an outside service says of an image.

    `feature`: web or logos; `name`: the address of the same picture (full) or of a part of it (partial), a brand
    (logo), else the feature; `polygon`: of a logo, px of the upright image."""

    image: str
    feature: str = pa.Field(isin=("web", "logos"))
    number: int = pa.Field(ge=0)
    kind: str = pa.Field(isin=("full", "partial", "logo", "nothing", "refused"))
    name: str
    score: float = pa.Field(nullable=True)
    polygon: object = pa.Field(metadata=LIST_OF_FLOATS)

    class Config(Table.Config):
        unique = ["image", "feature", "number"]  # noqa: RUF012


class Pairs(Table):
    """One row per pair of images that are too much alike, left < right, under the first kind that holds.

    exact: equal pixels; near: close PDQ hashes; crop: one is cut out of the other, or pasted into it; cross_subject:
    one person under two ids; same_subject: two pictures of one person that hardly differ. `distance`: differing bits of
    their PDQ hashes, of 256 (0 for exact). `score`: what tells the kind: inliers of a crop, else a cosine; missing for
    exact and near, and for crops told by pixels alone."""

    left: str
    right: str
    kind: str = pa.Field(isin=PAIR_KINDS)
    distance: int = pa.Field(ge=0)
    score: float = pa.Field(nullable=True)
    same_subject: bool

    class Config(Table.Config):
        unique = ["left", "right"]  # noqa: RUF012


class Occasions(Table):
    """One row per two images of a subject taken within days of each other, `left` before `right`.

    `days` between them; `same`, `untold`: which of clothes, place and time of day are the same, and which can't be
    told, with commas; `alike`: how many are the same; `asked`: whether people are asked about `right`."""

    left: str
    right: str
    days: float = pa.Field(ge=0)
    same: str
    untold: str
    alike: int = pa.Field(in_range={"min_value": 0, "max_value": 3})
    asked: bool

    class Config(Table.Config):
        unique = ["left", "right"]  # noqa: RUF012


class Verdicts(Table):
    """One row per delivered image, in the end: whether it passes, and the first check in the order that stopped it.

    `reserve`: it passes, and is held back to replace another one day."""

    image: str = pa.Field(unique=True)
    subject: str
    verdict: str = pa.Field(isin=("pass", "fail", "review", "reserve"))
    room: str
    check: str
    reason: str


class Waterfall(Table):
    """One row per step from delivery to release: how many images came, how many were stopped, how many are left."""

    order: int = pa.Field(unique=True, ge=0)
    room: str
    check: str
    label: str
    images_in: int = pa.Field(ge=0)
    images_out: int = pa.Field(ge=0)
    stopped: int = pa.Field(ge=0)
    subjects_left: int = pa.Field(ge=0)


class VideoWaterfall(Waterfall):
    """One row per step of videos from delivery to painted and proven, or to release, counted as images are. No row
    where no delivery has videos."""
