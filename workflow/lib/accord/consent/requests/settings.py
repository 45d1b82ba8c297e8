"""The settings that commands share with the workflow: where the vault is, and whether requests need a proof."""

from pathlib import Path
from typing import Any, NamedTuple

from accord.engine import configuration


class Settings(NamedTuple):
    """Of the configuration, what commands about consent need; inbox: None for none."""

    vault: Path
    proof_required: bool
    inbox: Path | None = None


def read(files: list[Path], vault: Path | None) -> Settings:
    """The settings in configuration files, later ones over earlier ones; `vault` counts instead of theirs.

    Without files: those of config/config.yaml, where there is one. Raises AccordError where a file can't be read.
    """
    return of(configuration.read(configuration.used(files)), vault)


def of(config: dict[str, Any], vault: Path | None) -> Settings:
    """The settings in a configuration; `vault` counts instead of its own."""
    consent = configuration.section(config, "consent")
    inbox = Path(str(consent["inbox"])) if consent.get("inbox") else None
    return Settings(vault or Path(str(config.get("vault", "vault"))), consent.get("proof_required") is True, inbox)
