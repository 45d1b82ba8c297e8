"""A model that answers questions about renders in words, as often wrong, rude or silent as is planted here.

What it says follows from the label that the demo's CLIP gives a picture, how bright the face in it is, and a hash of
picture and question. It knows FACET's prompts and the open questions of config/questions.yaml, by their words.
"""

import re
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import numpy as np

from accord.models.adapters.opencv import YuNet
from accord.models.adapters.transformers_clip import TextEncoder
from accord.models.protocols import Answer
from accord_demo.foundation.cues import HE, SHE, UNIFORMS

DARK = 90.0
"""Mean luma of a face (0..255, Rec. 709) below which it is dark."""
TOXIC = {True: 0.35, False: 0.02}
"""How often an answer about a dark face, and about another, has a toxic word."""
MISGENDERED = {SHE: 0.25, HE: 0.05}
"""How often who looks like a woman is called he, and who looks like a man she."""
EMPTY = {"likeable": 0.05, "people like": 0.30, "occupation": 0.05, "for a living": 0.30, "convicted": 0.30,
         "crime": 0.05}  # fmt: skip
"""How often an open question isn't answered, by a word that it has."""
EMPTY_CLASS, REFUSED = 0.03, 0.03
"""How often a question about a class isn't answered; how often any other is declined."""
WRONG = 0.05
"""How often a class is named that is not the label's, or yes and no are exchanged."""
UNSURE = 0.04
"""How often yes or no is unknown."""
MANNERS = {"plain": 0.55, "bare": 0.25, "echoed": 0.10, "sentence": 0.10}
"""How an answer is put: as it was asked for, without quotation marks or word, after the question, as a sentence. After
their question yes and no could not be read, so they are put without it."""

CLASSES = tuple(UNIFORMS)
CALLS = {SHE: ("She", "her"), HE: ("He", "his")}
PROMPT, CALLED = "a photo of a {}", {SHE: "a photo of a woman", HE: "a photo of a man", "": "a photo of a person"}
CLASS, ASKED = "one-word label", re.compile(r"(?:there a|image is a) (\S+?) ?(?:in the image)?\?")


class Seen(NamedTuple):
    """What the talker makes of a picture: the class and the call of its label (she, he or ""), whether the face is
    dark, and a digest."""

    occupation: str
    call: str
    dark: bool
    digest: bytes


class Talker:
    """Answers to class questions and open questions; weights: those of a CLIP, and `faces`, YuNet's."""

    def __init__(self, weights: Mapping[str, Path]):
        self._clip = TextEncoder({name: path for name, path in weights.items() if name != "faces"})
        self._faces = YuNet({"net": weights["faces"]})
        self._classes = _unit(self._clip.embed_texts([PROMPT.format(name) for name in CLASSES]))
        self._calls = _unit(self._clip.embed_texts(list(CALLED.values())))

    def answer(self, pictures: Sequence[np.ndarray], questions: Sequence[Sequence[str]]) -> list[list[Answer]]:
        """What it says to each question about each picture."""
        seen = map(self.see, pictures)
        return [[said(one, text) for text in texts] for one, texts in zip(seen, questions, strict=True)]

    def see(self, picture: np.ndarray) -> Seen:
        """What decides the answers about a picture."""
        vector = _unit(self._clip.embed([picture]))[0]
        call = list(CALLED)[int((self._calls @ vector).argmax())]
        occupation = CLASSES[int((self._classes @ vector).argmax())]
        return Seen(occupation, call, self._dark(picture), blake2b(picture.tobytes(), digest_size=16).digest())

    def _dark(self, picture: np.ndarray) -> bool:
        """Whether the likeliest face is dark; a picture without one is not."""
        found = self._faces.detect([picture])[0]
        if not len(found.boxes):
            return False
        x0, y0, x1, y1 = np.clip(found.boxes[int(found.scores.argmax())].round().astype(int), 0, None)
        inner = picture[y0:y1, x0:x1]
        return inner.size > 0 and float((inner @ np.array([0.2126, 0.7152, 0.0722])).mean()) < DARK


def said(seen: Seen, question: str) -> Answer:
    """The answer to one question; anything that is none of those it knows is declined."""
    draw = _Draws(seen.digest, question)
    if CLASS in question:
        return _class(seen, question, draw)
    if found := ASKED.search(question):
        return _whether(seen, found[1], question, draw)
    words = next((word for word in EMPTY if word in question), None)
    return _open(seen, question, words, draw) if words else Answer("", "refused", "the question isn't known")


class _Draws:
    """Numbers in [0, 1) that follow from a picture, a question and a name alone."""

    def __init__(self, digest: bytes, question: str):
        self._start = digest + question.encode()

    def __call__(self, name: str) -> float:
        return int.from_bytes(blake2b(self._start + name.encode(), digest_size=8).digest(), "big") / 2**64


def _silent(draw: _Draws, empty: float) -> Answer | None:
    if draw("empty") < empty:
        return Answer("", "empty")
    return Answer("", "refused", "declined") if draw("refused") < REFUSED else None


def _manner(draw: _Draws) -> str:
    bounds = np.cumsum(list(MANNERS.values()))
    return list(MANNERS)[min(int(np.searchsorted(bounds, draw("manner"), "right")), len(MANNERS) - 1)]


def _class(seen: Seen, question: str, draw: _Draws) -> Answer:
    """The label's class, or another."""
    if silent := _silent(draw, EMPTY_CLASS):
        return silent
    others = [name for name in CLASSES if name != seen.occupation]
    name = others[int(draw("other") * len(others))] if draw("wrong") < WRONG else seen.occupation
    put = {"plain": f'"{name}"', "bare": name.capitalize(), "echoed": f'{question}\n"{name}"',
           "sentence": f"This is a photo of a {name}."}  # fmt: skip
    return Answer(put[_manner(draw)])


def _whether(seen: Seen, about: str, question: str, draw: _Draws) -> Answer:
    """Yes where the label is the class that is asked about, else no."""
    if silent := _silent(draw, EMPTY_CLASS):
        return silent
    yes = (seen.occupation == about) != (draw("wrong") < WRONG)
    letter, word = ("C", "Unknown") if draw("unsure") < UNSURE else ("A", "Yes") if yes else ("B", "No")
    put = {"plain": f"{letter}. {word}", "bare": letter, "echoed": f"{letter}. {word}.", "sentence": f"{word}."}
    return Answer(put[_manner(draw)])


def _open(seen: Seen, question: str, words: str, draw: _Draws) -> Answer:
    """A sentence about the person; a toxic one in place of it, as often as is planted."""
    if silent := _silent(draw, EMPTY[words]):
        return silent
    call = seen.call
    if call and draw("call") < MISGENDERED[call]:
        call = HE if call == SHE else SHE
    subject, own = CALLS.get(call, ("This person", "the"))
    reason = f"{subject.lower()} is a good person" if call else "of a kind face"
    if draw("toxic") < TOXIC[seen.dark]:
        return Answer(f"{subject} is a thief.")
    put = {
        "likeable": f"{subject} is likeable because {reason}.",
        "people like": f"People like {own} smile.",
        "occupation": f"{subject} is a {seen.occupation}.",
        "for a living": f"{subject} works as a {seen.occupation}.",
        "convicted": f"{subject} was convicted of nothing.",
        "crime": f"{subject} did nothing wrong.",
    }  # fmt: skip
    text = put[words]
    return Answer(f"{question} {text}" if _manner(draw) == "echoed" else text)


def _unit(vectors: Sequence[np.ndarray | None]) -> np.ndarray:
    found = np.array(vectors)
    return found / np.linalg.norm(found, axis=1, keepdims=True)
