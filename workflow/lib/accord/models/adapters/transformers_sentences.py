"""Sentence encoders of the transformers library: MiniLM, MPNet, sentence-T5 and their like, as sentence-transformers
makes a vector of them.

Weights: `config` (config.json), `model`, the files of the tokenizer under any names, and `dense` for a model that ends
in a linear layer (the file of 2_Dense).
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from accord.errors import AccordError, Problem
from accord.models.adapters.nets.torch_nets import computing
from accord.models.adapters.nets.transformers_nets import Pretrained
from accord.models.weights import load_state


class Sentences:
    """Texts as vectors of length 1 (embed_texts): the mean over the last layer's tokens, then the linear layer.

    longest: of a longer text only so many tokens are read. Each text is asked alone, so its vector depends on nothing
    else. On a GPU where there is one.
    """

    GPU = "torch"

    def __init__(self, weights: dict[str, Path], longest: int = 256, precision: str = "float32"):
        if not isinstance(longest, int) or longest < 3:
            raise AccordError(Problem("option longest", f"is {longest!r}", "it is a whole number of tokens, 3 or more"))
        files = {name: path for name, path in weights.items() if name != "dense"}
        kind = "MODEL_FOR_TEXT_ENCODING_MAPPING"
        self._model, self._longest = Pretrained(files, kind, precision, processor="text"), longest
        self._dense = _dense(weights["dense"]) if "dense" in weights else None

    def embed_texts(self, texts: Sequence[str]) -> list[np.ndarray]:
        """A vector (d,) float64 of each text."""
        return [self._one(text) for text in texts]

    def _one(self, text: str) -> np.ndarray:
        tokens = self._model.processor([text], return_tensors="pt", truncation=True, max_length=self._longest)
        known = {key: tokens[key].to(self._model.device) for key in ("input_ids", "attention_mask")}
        with computing(self._model.precision):
            states = self._model.net(**known).last_hidden_state[0].double().cpu().numpy()
        vector = states.mean(axis=0)
        if self._dense is not None:
            vector = self._dense @ vector
        length = np.linalg.norm(vector)
        return vector / length if length else vector


def _dense(path: Path) -> np.ndarray:
    """(out, in) float64: the weight of the linear layer, which has no bias."""
    state = load_state(path)
    if set(state) != {"linear.weight"} or state["linear.weight"].ndim != 2:
        hint = "it is the file of 2_Dense, as sentence-transformers keeps it"
        raise AccordError(Problem(path.name, "is not a linear layer without bias", hint))
    return state["linear.weight"].double().numpy()
