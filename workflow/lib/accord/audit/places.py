"""Where an audit looks, and what it holds things against."""

from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from accord.errors import AccordError, Problem

DEFAULT = Path("config/config.yaml")


class Places(NamedTuple):
    """The folders of a project; its configuration, None where none was named; the day that counts as today (ISO 8601);
    hashes that were noted earlier; whether steps that need no model are done again, to compare what they make."""

    results: Path = Path("results")
    releases: Path = Path("releases")
    vault: Path = Path("vault")
    config: dict[str, Any] | None = None
    today: str = date.max.isoformat()
    noted: tuple[str, ...] = ()
    again: bool = False

    @property
    def need_vault(self) -> bool:
        """Whether a vault must be there: something was published, or consent was applied. Not so for FHIBE archives."""
        made = (*self.releases.glob("*"), *self.results.glob("consent/*"))
        return self.vault.exists() or bool(made)


def read(files: Iterable[Path]) -> dict[str, Any]:
    """The configuration in files, later ones over earlier ones, as the workflow reads them.

    Raises AccordError where one can't be read.
    """
    import yaml

    found: dict[str, Any] = {}
    for file in files:
        try:
            found = _over(found, yaml.safe_load(file.read_text()) or {})
        except (OSError, yaml.YAMLError, AttributeError, UnicodeDecodeError):
            hint = "name the files of the run: --config config/config.yaml config/my.yaml"
            raise AccordError(Problem(str(file), "is no configuration that can be read", hint)) from None
    return found


def of(config: dict[str, Any], named: dict[str, Path | None]) -> dict[str, Path]:
    """The folders results, releases and vault: as named, else as configured, else as usual."""
    told = {"releases": config.get("releases"), "vault": config.get("vault")}
    told["results"] = (config.get("pathvars") or {}).get("results")
    return {name: named.get(name) or Path(str(told[name] or name)) for name in told}


def _over(below: dict, above: dict) -> dict:
    both = {name: _over(below[name], value) for name, value in above.items() if _are_maps(below.get(name), value)}
    return {**below, **above, **both}


def _are_maps(left: Any, right: Any) -> bool:
    return isinstance(left, dict) and isinstance(right, dict)
