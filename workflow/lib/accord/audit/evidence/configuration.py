"""The configuration that an audit was given, held against its schema."""

from typing import Any

from accord.audit.telling.checks import About, Check
from accord.engine import config_mistakes

CONFIGURATION = About("parameters")


def checks(config: dict[str, Any] | None) -> list[Check]:
    """Each way in which the configuration is not of the form that it must have."""
    if config is None:
        return [CONFIGURATION.none("schema", "no configuration was given (--config)")]
    problems = config_mistakes.mistakes(config, own=True)
    return CONFIGURATION.held("schema", problems, "the configuration is valid")
