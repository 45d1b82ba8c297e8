"""The settings that commands share with the workflow: where the vault is, and whether wishes need a proof."""

from pathlib import Path
from typing import NamedTuple

from accord.errors import AccordError, Problem

DEFAULT = Path("config/config.yaml")


class Settings(NamedTuple):
    """Of the configuration, what commands about consent need."""

    vault: Path
    proof_required: bool


def read(files: list[Path], vault: Path | None) -> Settings:
    """The settings in configuration files, later ones over earlier ones; `vault` counts instead of theirs.

    Without files: those of config/config.yaml, where there is one. Raises AccordError where a file can't be read.
    """
    import yaml

    found: dict = {}
    for file in files or [DEFAULT] * DEFAULT.is_file():
        try:
            given = yaml.safe_load(file.read_text()) or {}
            found = {**found, **given, "consent": {**found.get("consent", {}), **given.get("consent", {})}}
        except (OSError, yaml.YAMLError, AttributeError, TypeError, UnicodeDecodeError):
            raise AccordError(
                Problem(str(file), "is no configuration that can be read", "see config/README.md")
            ) from None
    required = found.get("consent", {}).get("proof_required", False)
    return Settings(vault or Path(str(found.get("vault", "vault"))), required is True)
