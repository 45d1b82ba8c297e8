"""Answers of models of the transformers library that read a picture and a text: BLIP-2, LLaVA, and whatever else it
calls image-text-to-text.

Weights: `config` (config.json), `model` (of several files `model_1`, `model_2`, ...), and the files of the processor
and the tokenizer under any names.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from accord.errors import AccordError, Problem
from accord.models.adapters.declaring.shapes import alike
from accord.models.adapters.nets.torch_nets import computing
from accord.models.adapters.nets.transformers_nets import Pretrained
from accord.models.adapters.nets.transformers_vision import seen_once
from accord.models.protocols import Answer

KIND = "MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING"
PLACE = "{}"
"""In a prompt, where the question stands."""


class Answerer:
    """The likeliest words, one after the other (greedy), as the answer to a question; on a GPU where there is one.

    prompt: what the model reads, with `{}` for the question, and the model's own mark for the picture where it needs
    one. tokens: an answer that is longer is cut off. together: how many questions are asked at once; those of a picture
    always are. Texts are padded on the left, and what the network sees in a picture is computed once for all its
    questions, where its vision encoder reads nothing but pixels.
    """

    GPU = "torch"

    def __init__(self, weights: dict[str, Path], prompt: str, tokens: int = 30, together: int = 16,
                 precision: str = "float32") -> None:  # fmt: skip
        for name, value in (("tokens", tokens), ("together", together)):
            if not isinstance(value, int) or value < 1:
                raise AccordError(Problem(f"option {name}", f"is {value!r}", "it is a whole number, 1 or more"))
        if not isinstance(prompt, str) or prompt.count(PLACE) != 1:
            hint = f"write {PLACE} where the question stands, once"
            raise AccordError(Problem("option prompt", "doesn't have one place for the question", hint))
        self._model = Pretrained(weights, KIND, precision, processor="all")
        self._prompt, self._tokens, self._together = prompt, tokens, together
        self._ends = _ends(self._model)
        self._check_prompt()

    def answer(self, pictures: Sequence[np.ndarray], questions: Sequence[Sequence[str]]) -> list[list[Answer]]:
        found: dict[int, list[Answer]] = {number: [] for number in range(len(pictures))}
        for numbers in self._batches(pictures, questions):
            of = [number for number in numbers for _ in questions[number]]
            texts = [text for number in numbers for text in questions[number]]
            for number, answer in zip(of, self._answers(pictures, of, texts), strict=True):
                found[number].append(answer)
        return [found[number] for number in range(len(pictures))]

    def _batches(self, pictures: Sequence[np.ndarray], questions: Sequence[Sequence[str]]) -> Iterator[list[int]]:
        """Numbers of pictures of one size, with as many questions as go together, or one picture with more."""
        for group in alike([picture.shape for picture in pictures]):
            batch: list[int] = []
            for number in group:
                if batch and sum(len(questions[one]) for one in [*batch, number]) > self._together:
                    yield batch
                    batch = []
                batch += [number] * bool(questions[number])
            if batch:
                yield batch

    def _answers(self, pictures: Sequence[np.ndarray], of: list[int], texts: list[str]) -> list[Answer]:
        net, inputs = self._model.net, self._inputs([pictures[number] for number in of], texts)
        with computing(self._model.precision), seen_once(net, of):
            made = net.generate(
                **inputs, max_new_tokens=self._tokens, do_sample=False, num_beams=1,
                eos_token_id=self._ends, pad_token_id=self._pad,
            )  # fmt: skip
        # One that encodes the prompt apart begins with a mark of its own; all others repeat the prompt.
        apart = net.config.get_text_config().is_encoder_decoder
        return [self._read(row) for row in made[:, 1 if apart else inputs["input_ids"].shape[1] :].tolist()]

    def _inputs(self, pictures: list[np.ndarray], texts: list[str]) -> Any:
        prompts = [self._prompt.replace(PLACE, text) for text in texts]
        padding = {"padding": True, "padding_side": "left", "return_tensors": "pt"}
        inputs = self._model.processor(images=pictures, text=prompts, **padding).to(self._model.device)
        inputs["pixel_values"] = inputs["pixel_values"].to(self._model.dtype)
        return inputs

    def _read(self, tokens: list[int]) -> Answer:
        end = next((number for number, token in enumerate(tokens) if token in self._ends), len(tokens))
        text = self._model.processor.tokenizer.decode(tokens[:end], skip_special_tokens=True).strip()
        if not text:
            return Answer("", "empty", "the model said nothing")
        if end == len(tokens):
            return Answer(text, "cut", f"cut off after {self._tokens} tokens")
        return Answer(text)

    @property
    def _pad(self) -> int:
        pad = self._model.processor.tokenizer.pad_token_id
        return self._ends[0] if pad is None else pad

    def _check_prompt(self) -> None:
        """Raises AccordError where the prompt doesn't fit the processor, or has no mark for the picture, by a trial."""
        hint = "docs/foundation-asking.md shows the prompts of models; <image> is the usual mark of the picture"
        try:
            tokens = self._inputs([np.full((64, 64, 3), 128, np.uint8)], ["?"])["input_ids"]
        except ValueError as error:
            what = f"doesn't fit the model ({str(error).strip().splitlines()[0][:200]})"
            raise AccordError(Problem("option prompt", what, hint)) from None
        mark = getattr(self._model.config, "image_token_id", None)
        if mark is not None and not bool((tokens == mark).any()):
            raise AccordError(Problem("option prompt", "has no mark for the picture, which this model needs", hint))


def _ends(model: Pretrained) -> list[int]:
    """The tokens that end an answer: those of the network's configuration, and the tokenizer's own."""
    said = [model.config.get_text_config().eos_token_id, model.processor.tokenizer.eos_token_id]
    ends = {token for one in said if one is not None for token in (one if isinstance(one, list) else [one])}
    return sorted(ends)
