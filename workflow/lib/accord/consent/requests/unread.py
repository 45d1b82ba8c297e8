"""Refused rows and files of the watched folder, reported wherever open requests are."""

from pathlib import Path

from accord.consent.ledger import ledger
from accord.consent.requests import imports
from accord.errors import Problem


def refused(vault: Path, folder: Path | None, *, proof_required: bool) -> list[Problem]:
    """What is refused of the watched folder as it lies there now: it isn't applied until it is fixed."""
    files = imports.inbox(folder) if folder else []
    with ledger.looking(vault) as opened:
        parsed = [(file, *imports.parsed(file)) for file in files]
        judged = [imports.judge(opened, vault, found, file.where, required=proof_required) for file, found, _ in parsed]
    return [one for _, _, wrong in parsed for one in wrong] + [one for told in judged for one in told.problems]


def text(problems: list[Problem]) -> str:
    """What is refused of the watched folder, for people; it names nobody."""
    count = f"{len(problems)} row(s) or file(s) of requests in the inbox"
    told = f"{count} are invalid: they aren't applied until they are fixed"
    return "\n".join([told, *(f"  {problem}" for problem in problems)])
