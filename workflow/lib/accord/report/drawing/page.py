"""Pages from templates, in one stylesheet and one script that each carries: nothing is loaded from elsewhere."""

import re
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from accord.engine import resources
from accord.pages import shell

HERE = resources.beside(__name__)
INDEX, MODEL, DATA, COMPARED = "index.html.j2", "model.html.j2", "data.html.j2", "compared.html.j2"
FOUNDATION, SERVICES, FAKES = "foundation.html.j2", "services.html.j2", "fakes.html.j2"
OFFICER, VENDORS = "officer.html.j2", "vendors.html.j2"
BASE, BLOCKS = "page.html.j2", "blocks.html.j2"
MARKDOWN = re.compile(r"([\\`*_{}\[\]<>()#+!|~])")


def render(template: str, **content: Any) -> str:
    """A page as HTML. Its policy allows its own style and script, and no other, and nothing from the network."""
    return _environment().get_template(template).render(**content, **shell.parts())


def text(template: str, **content: Any) -> str:
    """A text in Markdown."""
    return _environment().get_template(template).render(**content)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader([HERE, shell.folder()]),
        autoescape=lambda name: not (name or "").endswith(".md.j2"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["md"] = lambda value: MARKDOWN.sub(r"\\\1", " ".join(str(value).split()))
    return environment
