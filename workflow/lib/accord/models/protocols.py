"""What an adapter must offer: one small Protocol per task. A step knows these, and no model.

A picture is (height, width, 3) uint8 RGB, upright. Coordinates are px of the picture that the adapter was given, with
0, 0 at the outer corner of its first pixel. Each method answers with one item per picture, in the same order.

What an adapter does with a picture before its network (resizing, padding) it may offer as `prepare(picture)`, or, where
its task gives boxes, `prepare(picture, box)`. Threads that decode call it, several at once, while the network looks at
the pictures before; the adapter's other methods are then given the `Prepared` in place of the picture. They answer as
if they were given the picture, which they are where nothing was prepared.

An adapter is built as `Class(weights, **options)`: `weights` maps the names under `weights:` in models.yaml to files
whose sha256 has been checked; `options` are those of models.yaml.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np


class Prepared(NamedTuple):
    """A picture as an adapter's `prepare` leaves it. inputs: what its network is given, however the adapter keeps it;
    shape: of the picture, (height, width, 3)."""

    inputs: Any
    shape: tuple[int, ...]


class Boxes(NamedTuple):
    """The boxes found in one picture: (n, 4) float x0, y0, x1, y1; (n,) scores in [0, 1]; n labels."""

    boxes: np.ndarray
    scores: np.ndarray
    labels: Sequence[str]


class Pose(NamedTuple):
    """The keypoints of one person: (k,) numbers in FHIBE's list (0-32); (k, 2) float x, y; (k,) scores in [0, 1].

    A keypoint that the model does not predict is left out.
    """

    keypoints: np.ndarray
    points: np.ndarray
    scores: np.ndarray


class Mask(NamedTuple):
    """One region of a picture: (height, width) bool, its score in [0, 1], and what it shows."""

    mask: np.ndarray
    score: float
    label: str


STATUSES = ("said", "empty", "refused", "cut", "failed")
"""Of an answer: said; no text; declined; cut off at the longest that was allowed; the call failed."""


class Answer(NamedTuple):
    """What a model says to one question about one picture: the text as it is, one of STATUSES, and, where there is no
    full answer, the reason. A call that failed has a reason and no text; what went wrong is never told as a text."""

    text: str
    status: str = "said"
    reason: str = ""


class PaidAnswer(NamedTuple):
    """An answer of a service, and the version of the model that gave it, as the service names it; "" where it doesn't.
    An answer can't be had a second time: who asks keeps it (accord.evaluate.asking.answer_vault)."""

    answer: Answer
    version: str


class Detector(Protocol):
    """Finds faces (face_localization) or people (person_localization)."""

    def detect(self, pictures: Sequence[np.ndarray]) -> Sequence[Boxes]: ...


class PoseEstimator(Protocol):
    """Finds the keypoints of a person of whom the box is known: one (4,) x0, y0, x1, y1 per picture."""

    def estimate(self, pictures: Sequence[np.ndarray], boxes: Sequence[np.ndarray]) -> Sequence[Pose]: ...


class Parser(Protocol):
    """Finds the pixels of people (person_parsing)."""

    def parse(self, pictures: Sequence[np.ndarray]) -> Sequence[Sequence[Mask]]: ...


class PartsDetector(Protocol):
    """Tells which body parts are seen of a person of whom the box is known: part -> probability in [0, 1].

    Parts are named as in `accord.vocabularies.BODY_PARTS`. A model speaks of the same parts for everyone: one that it
    doesn't know is left out everywhere, one that it doesn't see has a low probability. A hand is either hand.
    """

    def parts(self, pictures: Sequence[np.ndarray], boxes: Sequence[np.ndarray]) -> Sequence[Mapping[str, float]]: ...


class FaceParser(Protocol):
    """Labels the pixels of aligned faces (face_parsing): (height, width) uint8, numbers in `vocabularies.FACE_PARTS`.

    Left and right are the person's own.
    """

    def label(self, pictures: Sequence[np.ndarray]) -> Sequence[np.ndarray]: ...


class Restorer(Protocol):
    """Makes a face again: as it is (face_encoding), or larger and sharper (face_super_resolution).

    Answers with (height, width, 3) uint8 RGB of any size, in the same proportions.
    """

    def restore(self, pictures: Sequence[np.ndarray]) -> Sequence[np.ndarray]: ...


class Distance(Protocol):
    """Says how different pictures look (perceptual_distance): a number for each pair of equal size, 0 for the same."""

    def distance(self, pictures: Sequence[np.ndarray], others: Sequence[np.ndarray]) -> Sequence[float]: ...


class SentenceEncoder(Protocol):
    """Turns a text into a vector whose cosine tells likeness (text_embedding)."""

    def embed_texts(self, texts: Sequence[str]) -> Sequence[np.ndarray]: ...


class Embedder(Protocol):
    """Turns a picture into a vector whose cosine tells likeness; None where it makes nothing of a picture.

    face_verification gives it aligned faces (FFHQ, square), image_embedding whole pictures: as they are, and with their
    people, or all but them, painted black.
    """

    def embed(self, pictures: Sequence[np.ndarray]) -> Sequence[np.ndarray | None]: ...


class FaceService(Protocol):
    """Finds faces, and says how alike two of them are (face_service).

    `detect` is given whole pictures; labels of its boxes are not read. `compare` is given two lists of equal length: a
    picture each that shows one face, square and upright, cut around the box that this service found. It answers a
    number per pair, on the service's own scale, higher where two are more alike; None where it gives none. A class that
    gives pictures to somebody else's server says so by an attribute `external = True`, as an Answerer does.
    """

    def detect(self, pictures: Sequence[np.ndarray]) -> Sequence[Boxes]: ...

    def compare(self, left: Sequence[np.ndarray], right: Sequence[np.ndarray]) -> Sequence[float | None]: ...


class TemplateService(FaceService, Protocol):
    """A FaceService that hands out what it compares: vectors whose cosine is its number. A face is then asked about
    once, not once per pair: who can, calls `embed` in place of `compare`."""

    def embed(self, pictures: Sequence[np.ndarray]) -> Sequence[np.ndarray | None]: ...


class Answerer(Protocol):
    """Answers questions about pictures in words (visual_question).

    questions: for each picture the texts that it is asked, one or more, so that what the network sees in a picture can
    be computed once for all of them. Answers: for each picture one `Answer` per question, in their order. A question is
    asked as if it were the only one: an answer depends on no other question, and on no other picture. What is wrong
    with one call is an `Answer` of status failed; an exception stops the job.

    A class that gives pictures to somebody else's server says so by an attribute `external = True`, and is only shown
    images whose terms allow it. Without the attribute pictures stay on this machine. One that answers no words but
    classes says by `only` which questions (their ids) it can be asked, and by `lacks` which classes it can't name: a
    map from each to the reason.
    """

    def answer(
        self, pictures: Sequence[np.ndarray], questions: Sequence[Sequence[str]]
    ) -> Sequence[Sequence[Answer]]: ...


class Look(NamedTuple):
    """What a model takes a face for: age in years, None where it says none; gender (female, male), "" where it says
    none, and its score in [0, 1]."""

    age: float | None
    gender: str = ""
    gender_score: float = 1.0


class AgeGender(Protocol):
    """Guesses age and gender of faces (age_gender): one box of the face, (4,) x0, y0, x1, y1, per square picture."""

    def look(self, pictures: Sequence[np.ndarray], boxes: Sequence[np.ndarray]) -> Sequence[Look]: ...


class FakeDetector(Protocol):
    """Says how probably faces are generated or manipulated (fake_detection): a number in [0, 1] per picture, None where
    it gives none."""

    def score(self, pictures: Sequence[np.ndarray]) -> Sequence[float | None]: ...


class TextEncoder(Protocol):
    """Places pictures and texts in one space (image_text): the cosine of two vectors says how well they go together.

    Pictures come whole: as they are, with their people painted black or blurred, and with all but them black. `seen`
    says what the model is shown of a picture of so many px: x0, y0, x1, y1, less than all where it cuts off edges.
    """

    def embed(self, pictures: Sequence[np.ndarray]) -> Sequence[np.ndarray | None]: ...

    def embed_texts(self, texts: Sequence[str]) -> Sequence[np.ndarray]: ...

    def seen(self, height: int, width: int) -> tuple[float, float, float, float]: ...


class PaidAnswerer(Answerer, Protocol):
    """An Answerer behind a service: one question about one picture at a time, from several threads.

    cost_per_call: the most that a call may cost. An exception stops the job; what was answered is kept.
    """

    cost_per_call: float

    def ask(self, picture: np.ndarray, question: str) -> PaidAnswer: ...


class PaidFaceService(FaceService, Protocol):
    """A FaceService behind a server: one call at a time, from several threads; with one picture it is asked for faces,
    with two how alike they are. cost_per_call: the most that a call may cost; external: whether the server is somebody
    else's. An exception stops the job; what was answered is kept."""

    cost_per_call: float
    external: bool

    def ask(self, picture: Sequence[np.ndarray], question: str) -> PaidAnswer: ...
