"""Charts as SVG: Vega-Lite draws them when the report is made, so that a page needs no library and can be printed."""

import re
from typing import Any

FONT = "Liberation Sans"
"""Comes with the drawing library: text takes the same room on every machine."""

ROOM = 24
"""px on the left for labels in a wider font: a reader may lack the one that was measured."""

INK, SOFT, BLUE, ORANGE, LINE = "#1f2933", "#52606d", "#0b6e99", "#b45309", "#d9e2ec"
"""Blue and orange are told apart by the colour-blind, and both stand out from white by more than 4.5 to 1."""


CONFIG = {
    "view": {"stroke": None},
    "axis": {
        "labelColor": INK, "titleColor": SOFT, "gridColor": LINE, "domainColor": SOFT, "tickColor": SOFT,
        "labelFontSize": 13, "titleFontSize": 13, "titleFontWeight": "normal", "titlePadding": 12,
    },
    "background": "transparent",
    "font": FONT,
}  # fmt: skip


def draw(chart: dict[str, Any], label: str) -> str:
    """A chart, which is a Vega-Lite specification, as an SVG element whose marks carry their description.

    It has no style attribute, no script and no reference, so that a strict page may show it.
    """
    import vl_convert

    return _as_part(vl_convert.vegalite_to_svg({"config": CONFIG, **chart}), label)


def _as_part(drawn: str, label: str) -> str:
    drawn = re.sub(r' xmlns(:xlink)?="[^"]*"| version="1.1"', "", drawn)
    drawn = re.sub(r' class="[^"]*"| pointer-events="none"| opacity="1"', "", drawn)
    drawn = re.sub(f' font-family="{FONT}"', "", drawn)
    drawn = re.sub(r'<path aria-hidden="true" d="[^"]*"( stroke="[^"]*")?( display="none")?/>', "", drawn)
    size = re.search(r'width="([\d.]+)" height="([\d.]+)"', drawn)
    assert size is not None  # Vega always writes it
    width, height = (float(side) for side in size.groups())
    box = f'viewBox="-{ROOM} 0 {width + ROOM:g} {height:g}"'
    drawn = re.sub(r'width="[^"]*" height="[^"]*" viewBox="[^"]*"', f'width="{width + ROOM:g}" {box}', drawn, count=1)
    return drawn.replace("<svg", f'<svg role="group" aria-label="{_escaped(label)}"', 1)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")
