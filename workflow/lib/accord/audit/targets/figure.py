"""The audit of a figure of a report: what it rests on, and whether it still says what its table says."""

import inspect
from html.parser import HTMLParser
from pathlib import Path

from accord.audit.evidence import lineage
from accord.audit.evidence.lineage import Node
from accord.audit.records import reproduce, rows_of_images
from accord.audit.targets import file
from accord.audit.targets.places import Places
from accord.audit.telling.checks import About, Check, Found, Section
from accord.engine import step
from accord.errors import AccordError, Problem
from accord.report.reading.sources import tables_of

FIGURE = About("figure")
EDITED = "it was edited after it was made: rebuild the report, and find out who edited it"
STEPS = frozenset({"report.index", "report.rapid", "report.fakes", "report.vendors"})
"""Steps that make pages of figures."""
VOID = frozenset({"meta", "br", "hr", "img", "input", "link"})


class Figures(HTMLParser):
    """The figures and tables of a page, by id: all that is in them, as one text each."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.found: dict[str, str] = {}
        self._open: dict[str, list] = {}

    def handle_starttag(self, tag: str, attrs: list) -> None:
        name = dict(attrs).get("id") or ""
        if name.startswith(("figure-", "table-")):
            self._open[name] = [0, ""]
        told = "".join(f" {key}={value}" for key, value in attrs)
        for state in self._open.values():
            state[0] += tag not in VOID
            state[1] += f"<{tag}{told}>"

    def handle_endtag(self, tag: str) -> None:
        for name, state in list(self._open.items()):
            state[0] -= 1
            if not state[0]:
                self.found[name] = self._open.pop(name)[1]

    def handle_data(self, data: str) -> None:
        for state in self._open.values():
            state[1] += data


def figures(page: str) -> dict[str, str]:
    """Id -> content of each figure and table of a page."""
    parser = Figures()
    parser.feed(page)
    return parser.found


def audit(path: Path, name: str, places: Places) -> tuple[Node, Found]:
    """All checks of a figure. Raises AccordError where the file is no report, or has no such figure."""
    root, told = file.checks(path, places)
    shown = figures(path.read_text(errors="replace")) if path.suffix == ".html" else {}
    if name not in shown or root.record is None or root.record["step"] not in STEPS:
        hint = f"the page has {', '.join(shown)}" if shown else "name results/report/index.html"
        raise AccordError(Problem(f"{path.as_posix()}, figure {name}", "does not exist", hint))
    keys = tables_of(name)
    given = root.record.get("arguments", {})
    named = {Path(file) for key in keys for file in given.get(key, [])}
    sources = [node for node in root.inputs if Path(node.path) in named]
    checks = [*told, *redrawn(path, places, name), *_sources(sources)]
    return root, Found(checks, [_section(", ".join(keys), sources)])


def redrawn(path: Path, places: Places, name: str = "") -> list[Check]:
    """Whether a file of a report (and one of its figures) is what its tables give now."""
    where = path.as_posix()
    record = lineage.record_of(path)
    made = reproduce.named(record, places, by_any_code=True) if record and record["step"] in STEPS else None
    if record is None or made is None:
        return [FIGURE.none("redrawn", "can't be redrawn by the code of this checkout", where)]
    other = _same_name(made, where)
    if other is None:
        return [FIGURE.failed("redrawn", "can't be redrawn from its tables", where, "rerun the workflow")]
    if path.read_bytes() == other:
        return [FIGURE.passed("redrawn", "was redrawn from its tables, and is identical", where)]
    return _differing(path, other, reproduce.is_ours(record), name)


def _same_name(made: dict[str, bytes], where: str) -> bytes | None:
    """Of the files that a report is of, the one whose name, folders and all, ends this path; the longest such name. A
    step that makes one page gives it no name."""
    if len(made) == 1:
        return next(iter(made.values()))
    names = [name for name in made if f"/{where}".endswith(f"/{name}")]
    return made[max(names, key=len)] if names else None


def _differing(path: Path, other: bytes, ours: bool, name: str) -> list[Check]:
    where = path.as_posix()
    otherwise = FIGURE.warned("redrawn", "can't be compared: the code of this checkout draws it differently", where)
    if not ours and not name:
        return [otherwise]
    here, there = (figures(data.decode(errors="replace")) for data in (path.read_bytes(), other))
    differ = sorted(one for one in here.keys() | there.keys() if here.get(one) != there.get(one))
    if name and name not in differ:
        return [FIGURE.passed("redrawn", "the figure was redrawn from its table, and is identical", where)]
    if not ours:
        return [otherwise]
    what = f"disagrees with its tables in: {', '.join(differ) or 'text'}"
    return [FIGURE.failed("redrawn", what, where, EDITED)]


def _sources(sources: list[Node]) -> list[Check]:
    told = []
    for node in sources:
        rest = rows_of_images.rest(node)
        what = f"is based on {rest.images} images of {rest.subjects} people, in {len(rest.tables)} tables"
        told.append(FIGURE.passed("based on", what, node.path))
    return told or [FIGURE.none("based on", "its table is not among the inputs of the report")]


def _section(key: str, sources: list[Node]) -> Section:
    rows = [("shows the table", key)]
    for node in sources:
        record = node.record or {"step": "", "params": {}}
        rows += [
            ("table", node.path),
            ("sha256", node.sha256),
            ("made by", record["step"]),
            ("which gives", _docs(record["step"])),
        ]
        rows += [(f"parameter {name}", value) for name, value in sorted(record["params"].items())]
        rows += [("from", child.path) for child in node.inputs]
    return Section("The figure", ("what", "value"), rows)


def _docs(name: str) -> str:
    """What a step says that it makes, in a sentence."""
    try:
        return (inspect.getdoc(step.load(name)) or "").partition("\n")[0]
    except AccordError:
        return "unknown"
