"""Checks: what an audit says, one thing at a time; the worst of them is the verdict."""

from collections.abc import Iterable
from typing import NamedTuple

from accord.errors import Problem

PASS, WARN, FAIL, NOT_APPLICABLE = "pass", "warn", "fail", "not applicable"
VERDICTS = (FAIL, WARN, PASS, NOT_APPLICABLE)
SHOWN = 20
"""How many problems of one check are told one by one; the rest are counted."""

THEMES = (
    *("lineage", "code", "parameters", "weights", "models", "randomness", "item", "figure", "consent", "decisions"),
    *("paid answers", "release", "private index", "gates", "erasures", "history", "receipt log", "ledger", "house"),
)
"""What checks are about, in the order in which they are told."""


class Check(NamedTuple):
    """One thing that was looked at: its verdict, what was found, where, and a hint at what to do. Names nobody."""

    theme: str
    name: str
    verdict: str
    what: str
    where: str = ""
    hint: str = ""


class Section(NamedTuple):
    """Facts behind the checks, as a table."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple]


class Found(NamedTuple):
    """What an audit of a target found."""

    checks: list[Check]
    sections: list[Section] = []  # noqa: RUF012


class About:
    """Makes the checks of one theme."""

    def __init__(self, theme: str):
        if theme not in THEMES:
            raise ValueError(f"{theme!r} has no place in THEMES")
        self.theme = theme

    def passed(self, name: str, what: str, where: str = "") -> Check:
        return Check(self.theme, name, PASS, what, where)

    def failed(self, name: str, what: str, where: str = "", hint: str = "") -> Check:
        return Check(self.theme, name, FAIL, what, where, hint)

    def warned(self, name: str, what: str, where: str = "", hint: str = "") -> Check:
        return Check(self.theme, name, WARN, what, where, hint)

    def none(self, name: str, what: str, where: str = "") -> Check:
        return Check(self.theme, name, NOT_APPLICABLE, what, where)

    def held(self, name: str, problems: Iterable[Problem], fine: str, verdict: str = FAIL) -> list[Check]:
        """One check per problem, the rest counted; where there is none, one that says what is fine."""
        problems = list(problems)
        told = [Check(self.theme, name, verdict, p.what, p.where, p.hint) for p in problems[:SHOWN]]
        if rest := len(problems) - SHOWN:
            told += [Check(self.theme, name, verdict, f"and {rest} more problems of this kind")] * (rest > 0)
        return told or [self.passed(name, fine)]


def verdict(checks: Iterable[Check]) -> str:
    """The worst verdict of all."""
    found = {check.verdict for check in checks}
    return next((one for one in (FAIL, WARN) if one in found), PASS)


def ordered(checks: Iterable[Check]) -> list[Check]:
    """The checks by theme; within a theme as they were made, each once."""
    return sorted(dict.fromkeys(checks), key=lambda check: THEMES.index(check.theme))
