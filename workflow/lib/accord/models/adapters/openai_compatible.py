"""Models behind a server that speaks OpenAI's protocol: hosted ones, and open ones by vLLM, llama.cpp or Ollama."""

import base64
import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from accord.errors import AccordError, Problem, all_problems
from accord.models import error_codes, sent
from accord.models.http_service import TIMEOUT_HINT, Reply, Service, check_address, is_local, is_timeout
from accord.models.protocols import Answer, PaidAnswer

PATH = "/chat/completions"
ATTEMPTS = 6
LONGEST_NAME = 200
FILTERED = ("content_filter", "content_policy_violation", "moderation_blocked")
"""Codes of errors and endings that say: this picture or question is not answered."""
UNSUPPORTED = ("unsupported_parameter", "unsupported_value")
"""Codes of errors that say: this server's model takes no such parameter, or value."""
INSTEAD = {"max_tokens": "tokens_as: max_completion_tokens", "temperature": "temperature: null"}
"""Parameter that a model may not take -> the option that leaves it out."""
LIMITS = ("max_tokens", "max_completion_tokens")
BLIND = re.compile(
    "image input is not supported|not a multimodal model|at most 0 image|not support image|image_url is only supported"
    "|missing data required for image",
    re.IGNORECASE,
)
"""What servers say of a model that reads no pictures: llama.cpp, vLLM, LM Studio, OpenAI, Ollama. No two have a code in
common; llama.cpp's status is 500, after which others want to be asked again."""
REFUSED, CUT = "the service refused to answer", "the answer reached its limit of tokens"


class Client:
    """Asks one question about one picture at a time. `address`: as far as `/v1`; `model`: as the server calls it.
    `key`: the environment variable with the key, None for servers without one; `prompt`: what is said, {} for the
    question; `tokens_as`: which of LIMITS the server calls the longest answer.

    Pictures are sent without metadata, their longer side at `side` px or less. `temperature` 0 is as near to greedy as
    the protocol gets, and None leaves it to the model, where that takes none; answers can differ from one call to the
    next, so each is kept in the vault. `cost_per_call`: the most that a call may cost, in the currency of
    `evaluate.external.max_cost`.
    """

    def __init__(
        self,
        weights: dict[str, Path],
        *,
        address: str,
        model: str,
        key: str | None = None,
        prompt: str = "{}",
        max_tokens: int = 30,
        tokens_as: str = LIMITS[0],
        temperature: float | None = 0.0,
        side: int = 1024,
        timeout: float = 60.0,
        cost_per_call: float = 0.0,
        sleep: Callable[[float], None] | None = None,
    ) -> None:
        self._where, self._prompt, self._side = f"model {model}", prompt, side
        with all_problems() as problems:
            for name, given, fits, hint in (
                ("tokens_as", tokens_as, tokens_as in LIMITS, f"it is {' or '.join(LIMITS)}"),
                ("prompt", prompt, isinstance(prompt, str) and "{}" in prompt, "{} stands for the question"),
                ("max_tokens", max_tokens, _number(max_tokens, int) and max_tokens > 0, "it is a number above 0"),
                ("side", side, _number(side, int) and side > 0, "it is a number of px above 0"),
                ("timeout", timeout, is_timeout(timeout), TIMEOUT_HINT),
                ("model", model, isinstance(model, str) and model, "it is what the server calls the model"),
                ("key", key, key is None or (isinstance(key, str) and key),
                 "it is the name of an environment variable"),
                ("cost_per_call", cost_per_call, _number(cost_per_call) and cost_per_call >= 0, "it is 0 or more"),
                ("temperature", temperature, temperature is None or (_number(temperature) and temperature >= 0),
                 "it is 0 or more, or null"),
            ):  # fmt: skip
                if not fits:
                    problems.add(f"{self._where}: option {name}", f"is {str(given)[:40]!r}", hint)
        check_address(address, self._where)
        self.external, self.cost_per_call = not is_local(address), cost_per_call
        self._settings: dict[str, Any] = {"model": model, tokens_as: max_tokens}
        self._settings |= {} if temperature is None else {"temperature": temperature}
        headers = {"Authorization": f"Bearer {sent.key(key, self._where)}"} if key else {}
        patience = {"sleep": sleep} if sleep else {}
        self._service = Service(
            address.rstrip("/") + PATH, headers, timeout=timeout, attempts=ATTEMPTS, where=self._where, **patience
        )

    def answer(self, pictures: Sequence[np.ndarray], questions: Sequence[Sequence[str]]) -> list[list[Answer]]:
        return [
            [self.ask(picture, question).answer for question in asked]
            for picture, asked in zip(pictures, questions, strict=True)
        ]

    def ask(self, picture: np.ndarray, question: str) -> PaidAnswer:
        """The answer to one question, and which version of the model gave it.

        Raises AccordError where no question would be answered: the server refuses the key or a parameter, knows no such
        model, or says that it reads no pictures.
        """
        said = self._prompt.replace("{}", question)
        content = [
            {"type": "image_url", "image_url": {"url": data_url(picture, self._side)}},
            {"type": "text", "text": said},
        ]
        document = {**self._settings, "messages": [{"role": "user", "content": content}]}
        reply = self._service.post(document, lambda found: _choice(found) is not None, _is_blind)
        if reply.status != 200:
            self._stop(reply)
        choice = _choice(reply.document) if reply.status == 200 else None
        if choice is None:
            return PaidAnswer(_failed(reply.status, reply.document), "")
        return PaidAnswer(_answer(choice), _version(reply.document.get("model")))

    def _stop(self, reply: Reply) -> None:
        """Raises AccordError where the reply says that all other questions would fail as this one did."""
        error, status = _error(reply.document), f"(status {reply.status})"
        if reply.status in (401, 403):
            raise AccordError(Problem(self._where, f"the server refuses the key {status}", "check it"))
        if reply.status == 404:
            hint = "address: as far as /v1; model: as the server lists it under /v1/models"
            raise AccordError(Problem(self._where, f"the server knows no such model or path {status}", hint))
        if _is_blind(reply.document):
            hint = "serve a model that does; llama.cpp also needs the file of its projector (--mmproj)"
            raise AccordError(Problem(self._where, f"the server says that the model reads no pictures {status}", hint))
        if error.get("code") in UNSUPPORTED:
            name = str(error.get("param"))
            what = f"doesn't take the parameter {name if name in INSTEAD else 'that it names'}, or its value {status}"
            hint = f"options: {{{INSTEAD[name]}}}" if name in INSTEAD else "see the service's documentation"
            raise AccordError(Problem(self._where, what, hint))


def _number(value: Any, kind: type | tuple[type, ...] = (int, float)) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool) and math.isfinite(value)


def data_url(picture: np.ndarray, side: int) -> str:
    """A picture, (height, width, 3) uint8 RGB, as a JPEG without metadata, its longer side at `side` px or less."""
    return f"data:image/jpeg;base64,{base64.b64encode(sent.jpeg(picture, side)).decode()}"


def _choice(document: Any) -> dict[str, Any] | None:
    """The first choice of an answer; None where there is none of the protocol's form."""
    choices = document.get("choices") if isinstance(document, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) and isinstance(first.get("message"), dict) else None


def _answer(choice: dict[str, Any]) -> Answer:
    message, ending = choice["message"], choice.get("finish_reason")
    text = _text(message.get("content"))
    if ending in FILTERED or message.get("refusal"):
        return Answer("", "refused", REFUSED)
    if ending == "length":
        return Answer(text, "cut", CUT)
    return Answer(text) if text.strip() else Answer("", "empty")


def _text(value: Any) -> str:
    """A text as it can be kept: what JSON can write and UTF-8 can't (half of a pair) is replaced; of a list of parts
    the texts; "" for all else."""
    if isinstance(value, list):
        told = (part.get("text") for part in value if isinstance(part, dict))
        return "".join(_text(part) for part in told if isinstance(part, str))
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def _version(value: Any) -> str:
    """What a server calls its model, as it can stand in an error: no more than that many signs, all of them visible."""
    return "".join(sign if sign.isprintable() else "?" for sign in _text(value)[:LONGEST_NAME])


def _error(document: Any) -> dict[str, Any]:
    """What a reply says of an error: under `error`, or, as by older servers, at the top."""
    found = document.get("error", document) if isinstance(document, dict) else None
    return found if isinstance(found, dict) else {"message": found}


def _is_blind(document: Any) -> bool:
    return BLIND.search(_text(_error(document).get("message"))) is not None


def _failed(status: int, document: Any) -> Answer:
    """Why there is no answer, by a known code alone: all else may repeat what the server was sent."""
    codes = [code for key in ("code", "type") if (code := _text(_error(document).get(key))) in error_codes.OPENAI]
    if status == 400 and {*codes} & {*FILTERED}:
        return Answer("", "refused", REFUSED)
    named = f"status {status} ({codes[0]})" if codes else f"status {status}"
    what = {0: "no connection", 200: "the server's answer is not of the protocol"}.get(status, named)
    return Answer("", "failed", what)
