"""The step that paints, run on the tables of a test."""

from pathlib import Path

from accord.engine.parameter_types import Former, Kept
from accord.privacy import paint

SETTINGS = {"model": "embedded", "guidance": [12.0, 16.0], "steps": 2, "attempts": 1, "candidates": 1, "batch": 1}
SETTINGS |= {"max_seam": 2.5, "max_detail": 2.0, "max_outline": 1.3, "review": "all", "columns": []}
SETTINGS |= {"policies": {"inpainting": "hold"}}


def run_paint(delivery: dict, files: Path, former: Former | None = None, **settings) -> paint.Painted:
    """What `privacy.paint` makes of the tables and the bundle of `shard`; kept tables are their rows."""
    told = {**SETTINGS, "vault": files.with_name("no vault"), **settings}
    made = paint.run(**delivery, files=files, former=former or Former(), **told)
    return paint.Painted(*(table.rows if isinstance(table, Kept) else table for table in made))
