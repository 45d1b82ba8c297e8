"""The settings that commands share with the workflow: where the vault is, and whether wishes need a proof."""

from pathlib import Path
from typing import NamedTuple

from accord import configuration


class Settings(NamedTuple):
    """Of the configuration, what commands about consent need."""

    vault: Path
    proof_required: bool


def read(files: list[Path], vault: Path | None) -> Settings:
    """The settings in configuration files, later ones over earlier ones; `vault` counts instead of theirs.

    Without files: those of config/config.yaml, where there is one. Raises AccordError where a file can't be read.
    """
    found = configuration.read(configuration.used(files))
    required = configuration.section(found, "consent").get("proof_required", False)
    return Settings(vault or Path(str(found.get("vault", "vault"))), required is True)
