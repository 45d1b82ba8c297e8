"""The configuration that an audit was given, held against its schema."""

from pathlib import Path
from typing import Any

from accord.audit.telling.checks import About, Check
from accord.engine import yaml_text
from accord.errors import Problem

CONFIGURATION = About("parameters")
SCHEMA = Path("workflow/schemas/config.schema.yaml")


def checks(config: dict[str, Any] | None, schema: Path = SCHEMA) -> list[Check]:
    """Each way in which the configuration is not of the form that it must have."""
    from jsonschema import Draft202012Validator

    if config is None:
        return [CONFIGURATION.none("schema", "no configuration was named (--config)")]
    if not schema.is_file():
        return [CONFIGURATION.none("schema", "the schema of configurations is not in this folder")]
    rules = yaml_text.said(schema.read_text())
    errors = sorted(Draft202012Validator(rules).iter_errors(config), key=lambda error: list(map(str, error.path)))
    problems = [Problem(".".join(map(str, e.path)) or "configuration", e.message, "config/README.md") for e in errors]
    return CONFIGURATION.held("schema", problems, "the configuration has the form that it must have")
