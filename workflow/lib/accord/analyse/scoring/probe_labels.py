"""Labels of pictures: of which label the prompts fit best, by the cosines of vectors."""

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from accord.errors import AccordError, Problem
from accord.evaluate.asking.probes import Probe

POOLS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "max": lambda cosines: cosines.max(axis=2),
    "mean": lambda cosines: cosines.mean(axis=2),
}
"""The cosine of a label from those of its prompts: (n, labels, prompts) -> (n, labels)."""
TIE = "two labels fit alike: the first listed"
STALE = "run evaluate again: the texts are of other probes"


def prompt_vectors(texts: pd.DataFrame, probe: Probe) -> np.ndarray:
    """The vectors of a probe's prompts: (labels, prompts, d), as the file of probes lists them.

    texts: Texts of one model. Raises AccordError where a prompt isn't among them.
    """
    known = {(row.probe, row.label, row.text): row.vector for row in texts.itertuples()}
    wanted = [[(probe.name, label.name, text) for text in label.prompts] for label in probe.labels]
    missing = [key for some in wanted for key in some if key not in known]
    if missing:
        raise AccordError(Problem(f"{probe.name}.{label}", "a prompt has no vector", STALE) for _, label, _ in missing)
    return np.stack([np.stack([known[key] for key in some]) for some in wanted]).astype(np.float64)


def labels(pictures: np.ndarray, prompts: np.ndarray, names: Sequence[str], pool: str = "max") -> pd.DataFrame:
    """One row per picture: label, prompt (its number from 1, as text), cosine, runner_up, note.

    pictures: (n, d); prompts: (labels, prompts, d), all of length 1; names: of the labels. The first listed of labels
    that fit equally well is taken. Raises AccordError where vectors are of different lengths.
    """
    if pictures.shape[1] != prompts.shape[2]:
        what = f"have {pictures.shape[1]} numbers, vectors of prompts {prompts.shape[2]}"
        raise AccordError(Problem("vectors of pictures", what, "run evaluate again: they are of two models"))
    # Sums run in a fixed order, whatever the number of threads.
    cosines = np.einsum("nd,lpd->nlp", pictures.astype(np.float64), prompts)
    pooled = POOLS[pool](cosines)
    best, each = pooled.argmax(axis=1), np.arange(len(pictures))
    others = pooled.copy()
    others[each, best] = -np.inf
    made = {"label": np.array(names, object)[best], "prompt": (cosines[each, best].argmax(axis=1) + 1).astype(str)}
    made |= {"cosine": pooled[each, best], "runner_up": others.max(axis=1)}
    return pd.DataFrame(made).assign(note=np.where(made["cosine"] == made["runner_up"], TIE, ""))
