"""Networks of the transformers library that place pictures and texts in one space: CLIP, SigLIP and their like.

Weights: `config` (config.json), `model`, `processor` (preprocessor_config.json), and the files of the tokenizer, under
any names.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from accord.errors import AccordError, Problem
from accord.models.adapters.nets.torch_nets import computing
from accord.models.adapters.nets.transformers_nets import Pretrained
from accord.models.protocols import Prepared

FITS = ("official", "pad")
UNBOUNDED = 1_000_000
"""Tokenizers that state no longest text say a number beyond this one."""


class TextEncoder:
    """Projected features of pictures (embed) and of texts (embed_texts): their cosine is CLIP's logit / its scale.

    fit: `official` prepares pictures as the publisher's own processor does (of OpenAI's CLIP: short side 224 px,
    bicubic, the middle square cut out); `pad` first makes them square with bars of the processor's mean colour, so that
    nothing is cut off. Each picture is prepared alone and each text asked alone, so an answer depends on nothing else.
    Raises AccordError where the network has no encoder of texts, or its files don't belong together.
    """

    GPU = "torch"

    _cut = False

    def __init__(self, weights: dict[str, Path], fit: str = "official", precision: str = "float32"):
        if fit not in FITS:
            raise AccordError(Problem("option fit", f"is {fit!r}", f"it is {' or '.join(FITS)}"))
        self._model, self._fit = Pretrained(weights, "MODEL_MAPPING", precision, processor="all"), fit
        if not hasattr(self._model.net, "get_text_features") or not hasattr(self._model.processor, "tokenizer"):
            what = "has no encoder of texts beside that of pictures"
            raise AccordError(Problem(weights["config"].name, what, "CLIP and SigLIP have both; list their tokenizer"))
        self._images, self._tokenizer = self._model.processor.image_processor, self._model.processor.tokenizer

    def prepare(self, picture: np.ndarray) -> Prepared:
        return self._model.prepare(squared(picture, self._bars) if self._fit == "pad" else picture)

    def embed(self, pictures: Sequence[np.ndarray | Prepared]) -> list[np.ndarray | None]:
        """A vector (d,) float64 of each picture."""
        if not len(pictures):
            return []
        given = [one if isinstance(one, Prepared) else self.prepare(one) for one in pictures]
        batch = self._model.inputs.batch(given)["pixel_values"].to(self._model.dtype)
        with computing(self._model.precision):
            return list(_vectors(self._model.net.get_image_features(pixel_values=batch)))

    def embed_texts(self, texts: Sequence[str]) -> list[np.ndarray]:
        """A vector (d,) float64 of each text. Raises AccordError where texts are longer than the model reads."""
        with computing(self._model.precision):
            return [_vectors(self._model.net.get_text_features(**tokens))[0] for tokens in self._tokens(texts)]

    def seen(self, height: int, width: int) -> tuple[float, float, float, float]:
        """The part of a picture that the network is shown: x0, y0, x1, y1 in px of the picture."""
        short, crop = _sides(self._images.size).get("shortest_edge"), _sides(getattr(self._images, "crop_size", None))
        if self._fit == "pad" or not getattr(self._images, "do_center_crop", False) or not short:
            return 0.0, 0.0, float(width), float(height)
        scale = min(height, width) / short
        half_x, half_y = min(width, crop["width"] * scale) / 2, min(height, crop["height"] * scale) / 2
        return width / 2 - half_x, height / 2 - half_y, width / 2 + half_x, height / 2 + half_y

    @property
    def _bars(self) -> np.ndarray:
        """(3,) uint8: what becomes 0 when the processor has normalised it."""
        return np.round(255 * np.array(self._images.image_mean)).astype(np.uint8)

    def _tokens(self, texts: Sequence[str]) -> Iterator[Any]:
        longest = _longest(self._tokenizer, self._model.config)
        # SigLIP was trained on texts of one length and has no mask of what is filled up; CLIP needs no filling.
        filled = {"padding": "max_length", "max_length": longest} if "siglip" in self._model.config.model_type else {}
        cut = {"truncation": True, "max_length": longest} if self._cut else {}
        given = [self._tokenizer([text], return_tensors="pt", **{**filled, **cut}) for text in texts]
        long = [number for number, one in enumerate(given, 1) if one["input_ids"].shape[1] > longest]
        if long:
            what = f"is longer than the {longest} tokens that the model reads"
            raise AccordError(Problem(f"text {number}", what, "shorten it") for number in long)
        return (one.to(self._model.device) for one in given)


class Sentences(TextEncoder):
    """The encoder of texts alone (text_embedding): of a text that is too long for it, the first tokens are read."""

    _cut = True

    def __init__(self, weights: dict[str, Path], precision: str = "float32"):
        super().__init__(weights, precision=precision)


def squared(picture: np.ndarray, colour: np.ndarray) -> np.ndarray:
    """The picture in the middle of a square of its longer side, with bars of a colour (3,) uint8 beside it."""
    height, width = picture.shape[:2]
    side = max(height, width)
    square = np.empty((side, side, 3), np.uint8)
    square[:] = colour
    top, left = (side - height) // 2, (side - width) // 2
    square[top : top + height, left : left + width] = picture
    return square


def _longest(tokenizer: Any, config: Any) -> int:
    stated = config.get_text_config().max_position_embeddings
    return min(stated, tokenizer.model_max_length) if tokenizer.model_max_length < UNBOUNDED else stated


def _sides(size: Any) -> dict[str, int]:
    """`size` or `crop_size` of a processor, which transformers keeps as a map or as an object of its own."""
    return {name: int(value) for name, value in dict(size or {}).items() if value is not None}


def _vectors(outputs: Any) -> np.ndarray:
    """(n, d) float64."""
    found = outputs if not hasattr(outputs, "pooler_output") else outputs.pooler_output
    return found.double().cpu().numpy()
