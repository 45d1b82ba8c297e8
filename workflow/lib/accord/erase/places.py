"""Places: the folders of a project in which something of a person can be, as its configuration names them."""

from pathlib import Path
from typing import Any, NamedTuple

from accord.errors import AccordError, Problem

DEFAULT = Path("config/config.yaml")


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
    import yaml

    found: dict[str, Any] = {}
    used = files or [DEFAULT] * DEFAULT.is_file()
    for file in used:
        try:
            found = _over(found, yaml.safe_load(file.read_text()) or {})
        except (OSError, yaml.YAMLError, AttributeError, UnicodeDecodeError):
            hint = "see config/README.md"
            raise AccordError(Problem(str(file), "is no configuration that can be read", hint)) from None
    folders, consent = found.get("pathvars", {}), found.get("consent", {})
    usual = Places()
    return Places(
        vault=Path(found.get("vault", usual.vault)),
        releases=Path(found.get("releases", usual.releases)),
        results=Path(folders.get("results", usual.results)),
        logs=Path(folders.get("logs", usual.logs)),
        deliveries=tuple(Path(root) for root in found.get("intake", {}).get("deliveries", [])),
        inbox=Path(consent["inbox"]) if consent.get("inbox") else None,
        proof_required=consent.get("proof_required", False) is True,
        configs=tuple(used),
    )


def _over(below: dict, above: dict) -> dict:
    """Settings laid over others, key by key."""
    both = {key: _over(below[key], value) for key, value in above.items() if isinstance(below.get(key), dict)}
    return {**below, **above, **both}
