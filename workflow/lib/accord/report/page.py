"""The page: a template, a stylesheet, a chart library, all in one file."""

import json
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

HERE = Path(__file__).parent
TEMPLATE, STYLE, SCRIPT = "page.html.j2", "page.css", "page.js"


def render(content: dict) -> str:
    """The page as HTML; nothing in it is loaded from elsewhere."""
    import vl_convert

    files = FileSystemLoader(HERE)
    environment = Environment(loader=files, autoescape=select_autoescape(["html", "j2"]), undefined=StrictUndefined)
    environment.filters["embedded"] = embedded
    template = environment.get_template(TEMPLATE)
    return template.render(
        **content,
        style=(HERE / STYLE).read_text(),
        script=(HERE / SCRIPT).read_text(),
        library=vl_convert.javascript_bundle().replace("</script", "<\\/script"),
    )


def embedded(value: object) -> str:
    """JSON that can stand in a script element: no tag can be closed or opened in it."""
    text = json.dumps(value, sort_keys=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
