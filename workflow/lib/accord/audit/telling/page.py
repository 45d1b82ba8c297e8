"""An audit as a page: one file that works offline, verdict first; all that it shows is escaped."""

from itertools import groupby
from operator import attrgetter

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from accord.audit.targets.target import Audit
from accord.audit.telling import render as telling
from accord.engine import resources

HERE = resources.beside(__name__)
TEMPLATE, STYLE = "page.html.j2", "page.css"


def render(audit: Audit) -> str:
    """The page as HTML. Equal audits give equal bytes."""
    files = FileSystemLoader(HERE)
    environment = Environment(loader=files, autoescape=select_autoescape(["html", "j2"]), undefined=StrictUndefined)
    themes = [(theme, list(checks)) for theme, checks in groupby(audit.checks, attrgetter("theme"))]
    return environment.get_template(TEMPLATE).render(
        audit=audit,
        words=telling.WORDS[audit.verdict],
        counted=telling.counted(audit),
        themes=themes,
        files=telling.document(audit)["files"],
        style=(HERE / STYLE).read_text(),
    )
