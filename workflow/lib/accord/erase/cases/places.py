"""Places: the folders of a project in which something of a person can be, as its configuration names them."""

from pathlib import Path
from typing import NamedTuple

from accord.consent.requests import settings
from accord.engine import configuration


class Places(NamedTuple):
    """Folders, relative to the working folder. `configs`: the files that name them; `inbox`: None for none."""

    vault: Path = Path("vault")
    releases: Path = Path("releases")
    results: Path = Path("results")
    logs: Path = Path("logs")
    snakemake: Path = Path(".snakemake")
    deliveries: tuple[Path, ...] = ()
    inbox: Path | None = None
    proof_required: bool = False
    configs: tuple[Path, ...] = ()

    @property
    def cases(self) -> Path:
        """The folder of all cases."""
        return self.vault / "erasures"


def read(files: list[Path]) -> Places:
    """The places that configuration files name, later files over earlier ones; without files, config/config.yaml's.

    Raises AccordError where a file can't be read.
    """
    used = configuration.used(files)
    found = configuration.read(used)
    folders, consent = configuration.section(found, "pathvars"), settings.of(found, None)
    usual = Places()
    return Places(
        vault=consent.vault,
        releases=Path(found.get("releases", usual.releases)),
        results=Path(folders.get("results", usual.results)),
        logs=Path(folders.get("logs", usual.logs)),
        deliveries=tuple(Path(root) for root in configuration.section(found, "intake").get("deliveries", [])),
        inbox=consent.inbox,
        proof_required=consent.proof_required,
        configs=tuple(used),
    )
