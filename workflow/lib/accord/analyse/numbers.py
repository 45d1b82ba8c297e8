"""Published-number checks: do the figures of a paper obey their own arithmetic?"""

from contextlib import suppress
from pathlib import Path

from pandera.typing import DataFrame

from accord.analyse.published.arithmetic import Names, Relation, expression, holds, relation, value
from accord.analyse.published.figures import Figure, parts_of, read
from accord.analyse.published.printed import Range
from accord.analyse.published.ranges import Undefined
from accord.analyse.tables.numbers import Numbers
from accord.engine.provenance import portable
from accord.engine.table import rows
from accord.errors import Collector, all_problems

NAN = float("nan")


def run(tables: list[Path]) -> DataFrame[Numbers]:
    """Every rule of every table, and whether it can hold; and that no intersection is larger than its parts.

    tables: CSV files of figures. Raises AccordError with all that can't be read in any of them.
    """
    with all_problems() as problems:
        return checked(tables, problems)


def checked(tables: list[Path], problems: Collector) -> DataFrame[Numbers]:
    """What `run` finds of all that can be read; what can't be goes to `problems`."""
    made = [_table(Path(file), problems) for file in dict.fromkeys(tables)]
    return rows([row for table in made for row in table], Numbers)


def _table(file: Path, problems: Collector) -> list[dict]:
    figures = read(file, problems)
    values = _values(file, figures, problems)
    made = []
    for figure in figures:
        implied = [f"<= {part}" for part in parts_of(figure.name, set(values))] if "&" in figure.name else []
        for rule in dict.fromkeys((*figure.rules, *implied)):
            try:
                read_rule = relation(rule, values, figure.name)
            except ValueError as error:
                problems.add(f"{file}, line {figure.line}", f"rule {rule!r}: {error}")
            else:
                made.append(_row(portable(file), figure, rule, read_rule, values))
    return made


def _values(file: Path, figures: list[Figure], problems: Collector) -> Names:
    """What each figure may stand for. One that follows from others follows from those that are printed, or above it."""
    values = Names((figure.name, figure.value) for figure in figures)
    for figure in figures:
        if figure.worked:
            try:
                # A figure that can't be worked out has no value, which the rules that ask for it say.
                with suppress(Undefined, OverflowError):
                    values[figure.name] = value(expression(figure.worked, values), values)
            except ValueError as error:
                problems.add(f"{file}, line {figure.line}", f"value {figure.worked!r}: {error}")
    return values


def _row(file: str, figure: Figure, rule: str, made: Relation, values: dict[str, Range | None]) -> dict:
    row = {"file": file, "line": figure.line, "name": figure.name, "rule": rule, "source": figure.source, "reason": ""}
    try:
        fine, left, right = holds(made, values)
        figures = {"left": left.middle, "right": right.middle, "apart": left.middle - right.middle}
        row |= {side: float(figure) for side, figure in figures.items()}
    except (Undefined, OverflowError) as error:
        why = str(error) if isinstance(error, Undefined) else "the result is too large"
        return row | {"left": NAN, "right": NAN, "apart": NAN, "state": "undefined", "note": why}
    if fine:
        return row | {"state": "holds", "note": ""}
    return row | {"state": "broken", "note": _wrong(made.comparison, left, right), "reason": figure.reason}


def _wrong(comparison: str, left: Range, right: Range) -> str:
    if comparison == "of":
        return f"{left} is not a multiple of {right}"
    apart = Range(left.low - right.high, left.high - right.low)
    return (
        f"{left} should be {comparison} {right}: {str(apart).removeprefix('-')} {'less' if apart.high < 0 else 'more'}"
    )
