"""Pages from templates, in one stylesheet and one script that each carries: nothing is loaded from elsewhere."""

import base64
import hashlib
import re
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from accord.engine import resources

HERE = resources.beside(__name__)
INDEX, MODEL, DATA, COMPARED = "index.html.j2", "model.html.j2", "data.html.j2", "compared.html.j2"
FOUNDATION, SERVICES = "foundation.html.j2", "services.html.j2"
BASE, BLOCKS, STYLE, SCRIPT = "page.html.j2", "blocks.html.j2", "page.css", "page.js"
MARKDOWN = re.compile(r"([\\`*_{}\[\]<>()#+!|~])")


def render(template: str, **content: Any) -> str:
    """A page as HTML. Its policy allows its own style and script, and no other, and nothing from the network."""
    style, script = (HERE / STYLE).read_text(), (HERE / SCRIPT).read_text()
    own = f"style-src {_digest(style)}; script-src {_digest(script)}"
    policy = f"default-src 'none'; {own}; base-uri 'none'; form-action 'none'"
    return _environment().get_template(template).render(**content, style=style, script=script, policy=policy)


def text(template: str, **content: Any) -> str:
    """A text in Markdown."""
    return _environment().get_template(template).render(**content)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=lambda name: not (name or "").endswith(".md.j2"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["md"] = lambda value: MARKDOWN.sub(r"\\\1", " ".join(str(value).split()))
    return environment


def _digest(part: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()}'"
