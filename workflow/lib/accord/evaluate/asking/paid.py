"""Asking a service: what was answered before is replayed, all else is asked side by side, and kept as it comes."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from itertools import islice
from typing import Any, Protocol

import numpy as np

from accord.evaluate.asking.answer_vault import AnswerVault, Call, Limits
from accord.models.http_service import asking_again
from accord.models.protocols import Answer, PaidAnswer, PaidAnswerer

Tell = Callable[[str], None]


class Paid(Protocol):
    """Who is asked: with one picture, or two."""

    cost_per_call: float

    def ask(self, picture: Any, question: str) -> PaidAnswer: ...


def announce(vault: AnswerVault, calls: Sequence[Call], adapter: Paid, limits: Limits, tell: Tell) -> None:
    """Tell what will be asked and what it may cost. Raises AccordError, before anything is sent, beyond the limits."""
    missing = sum(vault.known(call) is None for call in dict.fromkeys(calls))
    tell(
        f"{len(calls)} questions: {len(calls) - missing} are answered already, {missing} are asked now, "
        f"for {missing * adapter.cost_per_call:.2f} (more if calls fail); {vault.calls} calls were made before"
    )
    vault.check(missing, adapter.cost_per_call, limits)


def grouped(
    vault: AnswerVault,
    adapter: PaidAnswerer,
    shown: Sequence[Any],
    pictures: Sequence[np.ndarray],
    questions: Sequence[Sequence[str]],
    limits: Limits,
    parallel: int,
) -> list[list[Answer]]:
    """`answered` for the questions of each picture; shown: rows of Derivatives, one for each."""
    asked = [
        (Call(row.image, row.sha256, text), picture)
        for row, picture, texts in zip(shown, pictures, questions, strict=True)
        for text in texts
    ]
    found = iter(answered(vault, adapter, [c for c, _ in asked], [p for _, p in asked], limits, parallel))
    return [list(islice(found, len(texts))) for texts in questions]


def answered(
    vault: AnswerVault,
    adapter: Paid,
    calls: Sequence[Call],
    pictures: Sequence[Any],
    limits: Limits,
    parallel: int,
) -> list[Answer]:
    """The answer to each call, each about the picture beside it: the vault's, or the service's.

    Raises AccordError where the limits are reached (other jobs may spend, too), or the adapter does.
    """
    found = {call: answer for call in calls if (answer := vault.known(call))}
    shown = {call: picture for call, picture in zip(calls, pictures, strict=True) if call not in found}
    with ThreadPoolExecutor(parallel) as pool:
        missing = list(shown)
        for some in (missing[start : start + parallel] for start in range(0, len(missing), parallel)):
            vault.reserve(len(some), adapter.cost_per_call, limits)
            asked = {pool.submit(ask, vault, adapter, shown[call], call.question, limits): call for call in some}
            found |= _kept(vault, asked)
    return [found[call] for call in calls]


def ask(vault: AnswerVault, adapter: Paid, picture: Any, question: str, limits: Limits) -> PaidAnswer:
    """The answer to a call that is reserved. Each time that it fails and is made again counts as a call, too."""
    with asking_again(lambda: vault.may_repeat(adapter.cost_per_call, limits)):
        return adapter.ask(picture, question)


def _kept(vault: AnswerVault, asked: dict[Future[PaidAnswer], Call]) -> dict[Call, Answer]:
    """The answers as they come, each kept at once. An error of any kind is raised when all that were asked are in: the
    others are paid for."""
    found: dict[Call, Answer] = {}
    errors: list[Exception] = []
    for done in as_completed(asked):
        try:
            paid = done.result()
            vault.keep(asked[done], paid)
            found[asked[done]] = paid.answer
        except Exception as error:
            errors.append(error)
    if errors:
        raise errors[0]
    return found
