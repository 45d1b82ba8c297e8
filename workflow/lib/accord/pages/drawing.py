"""Intervals on an axis as a picture of its own: SVG, and PNG or PDF if the drawing library is installed."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from accord import command_line
from accord.errors import AccordError, Problem
from accord.files import replace
from accord.pages.ranges import BEST, EVERYONE, GROUP, WORST, Axis, Mark

WIDTH, LABELS, FIGURES, ROW, TOP, FOOT = 860, 260, 190, 26, 44, 46
"""px: of the picture, its labels on the left, its figures on the right; of a row, the title, the axis."""
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
INK, SOFT, LINE = "#1f2933", "#52606d", "#d9e2ec"
COLOURS = {WORST: "#b45309", BEST: "#0b6e99", GROUP: "#0b6e99", EVERYONE: "#1f2933"}
LETTERS = 36
"""Most letters of a label: more would run into the axis."""
FORMATS = (".svg", ".png", ".pdf")
SHARPNESS = 2


class Row(NamedTuple):
    """A line of a drawing: a label, a mark, the figures in words. Without a mark it is a heading."""

    label: str
    mark: Mark | None
    figures: str


class Drawing(NamedTuple):
    """A picture as SVG. A notebook shows it; `save` writes it."""

    svg: str
    title: str

    def __repr__(self) -> str:
        return f"Drawing of {self.title!r}"

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: Path | str) -> Path:
        """Write .svg, .png or .pdf into a folder that exists; the path.

        Raises AccordError for others, if the drawing library is missing, or where it can't be written.
        """
        file = Path(path)
        if file.suffix.lower() not in FORMATS:
            raise AccordError(Problem(str(file), "is not a known format", f"one of {', '.join(FORMATS)}"))
        data = self.svg.encode() if file.suffix.lower() == ".svg" else _converted(self.svg, file)
        with command_line.writing(file, "plot"):
            replace(file, data)
        return file


def draw(title: str, rows: Sequence[Row], axis: Axis, unit: str) -> Drawing:
    """Rows below each other on one axis, whose title is `unit`."""
    height = TOP + ROW * len(rows) + FOOT
    drawn = [_text(16, 26, title, size=16, weight=600), *_grid(axis, height), *_lines(rows)]
    drawn.append(_text(_x(50), height - 8, unit, anchor="middle", colour=SOFT))
    label = escape(title, {'"': "&quot;"})
    size = f'width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" font-family="{FONT}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{label}">'
    return Drawing("\n".join([head, '<rect width="100%" height="100%" fill="#fff"/>', *drawn, "</svg>", ""]), title)


def _lines(rows: Sequence[Row]) -> list[str]:
    drawn = []
    for place, row in enumerate(rows):
        y = TOP + ROW * place + ROW // 2
        if row.mark is None:
            drawn.append(_text(16, y + 5, _short(row.label), colour=SOFT, weight=600))
            continue
        drawn += [_text(28, y + 5, _short(row.label)), _mark(row.mark, y)]
        drawn.append(_text(WIDTH - 16, y + 5, row.figures, anchor="end", colour=SOFT))
    return drawn


def _grid(axis: Axis, height: int) -> list[str]:
    drawn, foot = [], height - FOOT
    for text, at in axis.ticks:
        drawn.append(f'<line x1="{_x(at)}" x2="{_x(at)}" y1="{TOP}" y2="{foot}" stroke="{LINE}"/>')
        drawn.append(_text(_x(at), foot + 16, text, anchor="middle", colour=SOFT))
    return drawn


def _mark(mark: Mark, y: int) -> str:
    colour, x = COLOURS[mark.look], _x(mark.at)
    line = f'<line x1="{_x(mark.start)}" x2="{_x(mark.end)}" y1="{y}" y2="{y}" stroke="{colour}" stroke-width="2.5"/>'
    shapes = {
        WORST: f'<path d="M{x} {y - 7}l7 7l-7 7l-7 -7z" fill="{colour}"/>',
        EVERYONE: f'<line x1="{x}" x2="{x}" y1="{y - 7}" y2="{y + 7}" stroke="{colour}" stroke-width="3"/>',
        BEST: f'<circle cx="{x}" cy="{y}" r="5.5" fill="{colour}"/>',
        GROUP: f'<circle cx="{x}" cy="{y}" r="5" fill="#fff" stroke="{colour}" stroke-width="2"/>',
    }
    return f"<g><title>{escape(mark.tip)}</title>{line}{shapes[mark.look]}</g>"


def _x(at: float) -> float:
    return round(LABELS + at / 100 * (WIDTH - LABELS - FIGURES - 24), 2)


def _text(
    x: float, y: float, text: str, *, size: int = 13, anchor: str = "start", colour: str = INK, weight: int = 400
) -> str:
    told = f'x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" fill="{colour}"'
    return f"<text {told}>{escape(text)}</text>"


def _short(text: str) -> str:
    return text if len(text) <= LETTERS else f"{text[: LETTERS - 1]}…"


def _converted(svg: str, file: Path) -> bytes:
    try:
        library: Any = import_module("vl_convert")
    except ImportError:
        hint = "pip install 'accord[report]', or save it as .svg"
        raise AccordError(Problem(str(file), "can't be drawn without vl-convert-python", hint)) from None
    return library.svg_to_pdf(svg) if file.suffix.lower() == ".pdf" else library.svg_to_png(svg, scale=SHARPNESS)
