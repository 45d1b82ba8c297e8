"""The settings that commands share with the workflow: where the vault is, and whether wishes need a proof."""

from pathlib import Path
from typing import NamedTuple

from accord import configuration


class Settings(NamedTuple):
    """Of the configuration, what commands about consent need; inbox: None for none."""

    vault: Path
    proof_required: bool
    inbox: Path | None = None


def read(files: list[Path], vault: Path | None) -> Settings:
    """The settings in configuration files, later ones over earlier ones; `vault` counts instead of theirs.

    Without files: those of config/config.yaml, where there is one. Raises AccordError where a file can't be read.
    """
    found = configuration.read(configuration.used(files))
    consent = configuration.section(found, "consent")
    inbox = Path(str(consent["inbox"])) if consent.get("inbox") else None
    return Settings(vault or Path(str(found.get("vault", "vault"))), consent.get("proof_required") is True, inbox)
