"""YAML that vendors write, read on their own machine: plain values, no anchors: a few lines of these can be endless."""

from typing import Any

import yaml

from accord import yaml_text


def said(text: str) -> Any:
    """The value of a document. Raises yaml.YAMLError where it is none, ValueError where it has anchors or aliases."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    if any(isinstance(token, yaml.AnchorToken | yaml.AliasToken) for token in yaml.scan(text, Loader=loader)):
        raise ValueError("anchors and aliases")
    return yaml_text.said(text)
