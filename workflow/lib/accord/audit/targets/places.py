"""Where an audit looks, and what it holds things against."""

from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from accord.engine.configuration import section
from accord.evaluate.asking import answer_vault
from accord.release.searching import register
from accord.review.database import store
from accord.train.models import remembered

OWN = frozenset({"README.md"})
"""Files directly under results that are part of the checkout."""
OF_ARCHIVES = (f"{remembered.FOLDER}/", f"{store.FOLDER}/", "log/review.", register.NAME, answer_vault.NAME)
"""How paths begin of what a run on an archive, without deliveries, consents and releases of its own, keeps in a vault:
what models learnt from, votes, and the head of their chain, whom a search is for, what services were paid to say."""


class Places(NamedTuple):
    """The folders of a project; its configuration, None where none was named; the day that counts as today (ISO 8601);
    hashes that were noted earlier; whether steps are done again, to compare what they make, and how
    many at a time; Snakemake's folder."""

    results: Path = Path("results")
    releases: Path = Path("releases")
    vault: Path = Path("vault")
    config: dict[str, Any] | None = None
    today: str = date.max.isoformat()
    noted: tuple[str, ...] = ()
    again: bool = False
    jobs: int = 1
    snakemake: Path = Path(".snakemake")

    @property
    def weights(self) -> Path:
        """The folder of models' weights."""
        return Path(str(section(self.config or {}, "evaluate").get("weights", "weights")))

    @property
    def need_vault(self) -> bool:
        """Whether a vault must be there, with its key and its logs: something was published or noted, consent was
        applied, or the vault holds more than a run on an archive leaves in it."""
        made = (*self.releases.glob("*"), *self.results.glob("consent/*"))
        held = (path.relative_to(self.vault).as_posix() for path in self.vault.rglob("*") if not path.is_dir())
        return bool(made or self.noted) or any(not path.startswith(OF_ARCHIVES) for path in held)

    @property
    def are_empty(self) -> bool:
        """Whether there is nothing to audit: no version, no consent applied, no file of results or of the vault."""
        held = (path for folder in (self.results, self.vault) for path in folder.rglob("*") if not path.is_dir())
        made = (*self.releases.glob("*"), *self.results.glob("consent/*"))
        return not made and all(path.parent == self.results and path.name in OWN for path in held)


def of(config: dict[str, Any], named: dict[str, Path | None]) -> dict[str, Path]:
    """The folders results, releases and vault: as named, else as configured, else as usual."""
    told = {"releases": config.get("releases"), "vault": config.get("vault")}
    told["results"] = section(config, "pathvars").get("results")
    return {name: named.get(name) or Path(str(told[name] or name)) for name in told}
