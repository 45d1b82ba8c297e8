"""The label whose text is nearest to an answer's, by the cosine of a text encoder."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

DECIMALS = 6
"""Cosines that agree so far are equal: more depends on the batch in which a network computed them."""
Embed = Callable[[Sequence[str]], Sequence[np.ndarray]]


class Wording(NamedTuple):
    """How texts are given to an encoder: `{}` of the template stands for an answer or a label; of an answer only the
    first `most` words are given."""

    template: str = "{}"
    most: int = 50

    def of(self, text: str) -> str:
        """A text as the encoder gets it."""
        return self.template.replace("{}", " ".join(text.split()[: self.most]))


def nearest(texts: Sequence[str], labels: Sequence[str], embed: Embed, wording: Wording) -> list[tuple[str, float]]:
    """The label of each text and its cosine; of labels that are equally near, the one listed first.

    embed: texts -> vectors (d,); each distinct text is given once. A text whose vector is zero or not finite has no
    label: "" and NaN.
    """
    given = list(dict.fromkeys(map(wording.of, texts)))
    if not given:
        return []
    units = _units(embed(given))
    cosines = np.round(np.einsum("nd,kd->nk", units, _units(embed([wording.of(one) for one in labels]))), DECIMALS)
    found = dict(zip(given, cosines, strict=True))
    return [_best(found[wording.of(text)], labels) for text in texts]


def _best(cosines: np.ndarray, labels: Sequence[str]) -> tuple[str, float]:
    if np.isnan(cosines).any():
        return "", np.nan
    first = int(np.argmax(cosines))
    return labels[first], float(cosines[first])


def _units(vectors: Sequence[np.ndarray]) -> np.ndarray:
    """(n, d) float64 of length 1; NaN where a vector has none."""
    table = np.asarray(vectors, float)
    lengths = np.linalg.norm(table, axis=1, keepdims=True)
    usable = np.isfinite(lengths) & (lengths > 0)
    return np.divide(table, lengths, out=np.full_like(table, np.nan), where=usable)
