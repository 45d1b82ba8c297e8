"""Effects: what the machine has other rooms do, handed in so that it can be tested without them."""

import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from accord.erase.cases.person import Person
    from accord.erase.cases.places import Places
    from accord.errors import Problem
    from accord.scan.dossier import Dossier

CASE_BYTES = 8


def _replacements(vault: Path, gone: frozenset[str]) -> list[str]:
    from accord.release.reserve import images as reserve

    return reserve.replacements(vault, gone)


def _admit(vault: Path, images: list[str]) -> None:
    from accord.release.reserve import images as reserve

    reserve.admit(vault, images)


def _forget(vault: Path, images: frozenset[str], subjects: frozenset[str]) -> int:
    from accord.evaluate.asking import answer_vault
    from accord.release.reserve import images as reserve

    return reserve.forget(vault, images, subjects) + answer_vault.forget(vault, images)


def _destroy(vault: Path, subject: str) -> bool:
    from accord.backup.archive import keys

    return keys.destroy(vault, subject)


def _redact(delivery: Path, subject: str, images: frozenset[str]) -> Any:
    from accord.intake.redacting import redact

    return redact.redact(delivery, subject, images)


def _would_redact(delivery: Path, subject: str, images: frozenset[str]) -> Any:
    from accord.intake.redacting import redact

    return redact.plan(delivery, subject, images)


def _obstacles(delivery: Path, subject: str, images: frozenset[str]) -> list["Problem"]:
    from accord.intake.redacting import redact

    return redact.obstacles(delivery, subject, images)


def _announce(vault: Path, folder: Path, version: str, envelope: bytes) -> int:
    from accord.holders.notifying import outbox

    return outbox.announce(vault, folder, version, envelope)


def _dossier(places: "Places", person: "Person") -> "Dossier":
    from accord.erase.dossiers import traces

    return traces.dossier(places, person)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class Effects(NamedTuple):
    """Functions of other parts, the clock (ISO 8601, UTC) and the maker of random names of cases.

    All but the clock and the names can be done again after a crash and end in the same state.
    """

    replacements: Callable[[Path, frozenset[str]], list[str]] = _replacements
    admit: Callable[[Path, list[str]], None] = _admit
    forget: Callable[[Path, frozenset[str], frozenset[str]], int] = _forget
    destroy: Callable[[Path, str], bool] = _destroy
    redact: Callable[[Path, str, frozenset[str]], Any] = _redact
    would_redact: Callable[[Path, str, frozenset[str]], Any] = _would_redact
    obstacles: Callable[[Path, str, frozenset[str]], list["Problem"]] = _obstacles
    announce: Callable[[Path, Path, str, bytes], int] = _announce
    dossier: Callable[["Places", "Person"], "Dossier"] = _dossier
    now: Callable[[], str] = _now
    name: Callable[[], str] = lambda: secrets.token_hex(CASE_BYTES)


def counts(told: Any) -> dict[str, int]:
    """Counts by kind, as another part tells them in a dict or a named tuple: numbers, or dicts of numbers."""
    found: dict[str, int] = {}
    for kind, count in (told._asdict() if hasattr(told, "_asdict") else told).items():
        if isinstance(count, dict):
            found |= {f"{name} ({kind})": int(number) for name, number in count.items()}
        elif isinstance(count, int):
            found[kind] = count
    return found
