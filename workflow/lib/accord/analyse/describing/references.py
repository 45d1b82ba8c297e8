"""Figures that others published of their datasets, as CSV files with their source."""

import math
from pathlib import Path

from accord.errors import Collector, all_problems
from accord.text import cells

COLUMNS = ["dataset", "figure", "value", "source"]
LARGEST = 5_000_000
HINT = f"a header {','.join(COLUMNS)}, then one figure per line; see docs/statistics.md"


def read(files: list[Path]) -> list[dict]:
    """The rows of the files, as References has them. Raises AccordError with all that is wrong in any of them."""
    found: dict[tuple, dict] = {}
    with all_problems() as problems:
        for file in dict.fromkeys(map(Path, files)):
            for number, line in enumerate(_lines(file, problems), start=2):
                row = _row(f"{file}, line {number}", line, problems) if line else None
                if not row:
                    continue
                key = row["dataset"], row["figure"], row["source"]
                if key in found:
                    problems.add(f"{file}, line {number}", "duplicates a figure of the same dataset and source", HINT)
                else:
                    found[key] = row
    return list(found.values())


def _lines(file: Path, problems: Collector) -> list[list[str]]:
    if not file.is_file() or file.stat().st_size > LARGEST:
        problems.add(str(file), f"is missing, or larger than {LARGEST:,} bytes", HINT)
        return []
    try:
        lines = cells.lines(file.read_bytes())
    except ValueError as error:
        problems.add(str(file), str(error), HINT)
        return []
    if not lines or lines[0] != COLUMNS:
        problems.add(str(file), f"must have the columns {', '.join(COLUMNS)}", HINT)
        return []
    return lines[1:]


def _row(where: str, line: list[str], problems: Collector) -> dict | None:
    before, line = len(problems), [cell.strip() for cell in line]
    if len(line) != len(COLUMNS) or not all(line):
        problems.add(where, f"must have {len(COLUMNS)} filled cells", "every figure needs a source")
    value = line[2] if len(line) == len(COLUMNS) else ""
    try:
        number = float(value) if value else 0.0
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        problems.add(where, f"value {value!r} is not a number", "write a plain number such as 69.61")
    return None if len(problems) > before else {**dict(zip(COLUMNS, line, strict=True)), "value": number}
