"""The record of processing activities as Markdown."""

from typing import Any

from accord.consent.deciding.scope_words import words
from accord.erase.processing.record import STATED
from accord.text.nouns import counted

NOBODY = "none recorded"
UNSTATED = "**not stated**"


def text(told: dict[str, Any]) -> str:
    """The record in words; what isn't stated is told at the top."""
    missing = ", ".join(told["missing"])
    lines = ["# Record of processing activities (GDPR, Article 30(1))", ""]
    lines += [f"Draft from the project's records. {'Not stated: ' + missing + '.' if missing else 'All is stated.'}"]
    for name, asked in STATED.items():
        lines += ["", f"## {asked}", "", _line(told["stated"][name] or UNSTATED)]
        lines += KNOWN.get(name, lambda _: [])(told)
    lines += ["", "## 30(1)(c): categories of data subjects and of personal data", ""]
    lines += [
        f"- {role.replace('_', ' ')}: {counted(count, 'person')}" for role, count in told["data_subjects"].items()
    ]
    lines += [
        f"- {name.replace('_', ' ')}: {counted(count, 'row')}" for name, count in told["categories_of_data"].items()
    ]
    if told["videos"]:
        counts = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in told["videos"].items())
        lines += [f"- videos: {counts}"]
    lines += [f"- attributes: {', '.join(told['attributes']) or NOBODY}"]
    lines += [f"- may reveal origin, health or sex life (Article 9): {', '.join(told['possibly_special']) or NOBODY}"]
    lines += ["", "## 30(1)(d): recipients", ""]
    lines += [f"- {_line(one['name'])}: {', '.join(one['versions'])}" for one in told["recipients"]] or [f"- {NOBODY}"]
    lines += [f"- the publisher's own exports: {told['exports']}"] if told["exports"] else []
    return "\n".join(lines)


def _of_purposes(told: dict[str, Any]) -> list[str]:
    found = [f"- {words(scope)}: {counted(count, 'person')}" for scope, count in told["consented_to"].items()]
    return ["", "What people consent to today:", "", *(found or [f"- {NOBODY}"])]


def _of_storage(told: dict[str, Any]) -> list[str]:
    days, number = told["erasure_days"], told["consents_with_a_last_day"]
    return ["", f"- after a withdrawal: {days} days", f"- consents that end by themselves: {number}"]


def _of_measures(told: dict[str, Any]) -> list[str]:
    return ["", *(f"- {measure}" for measure in told["measures"])]


KNOWN = {"purposes": _of_purposes, "storage": _of_storage, "measures": _of_measures}
"""Statement -> what the project knows besides."""


def _line(said: str) -> str:
    """A statement as it may stand in a Markdown document: without characters that a terminal would obey."""
    return "".join(letter for letter in said if letter.isprintable() or letter == "\n")
