"""What is wrong with a table, as problems that a person can read."""

import pandera.pandas as pa
from pandera.errors import SchemaErrors

from accord.errors import Problem

ROWS_SHOWN = 5
TWICE = "multiple_fields_uniqueness"
ABOUT_COLUMNS = ("column_in_schema", "column_in_dataframe")


def problems(error: SchemaErrors, model: type[pa.DataFrameModel], where: str) -> list[Problem]:
    """Each violation, told without values: they can be personal data."""
    cases = error.failure_cases.astype({"column": str, "check": str})
    found = []
    whole = (cases["schema_context"] == "DataFrameSchema") & ~cases["check"].isin(ABOUT_COLUMNS)
    for name, group in cases[whole].dropna(subset="index").groupby("check", sort=True):
        index = sorted({int(i) for i in group["index"]})
        fails = (
            f"have the same {', '.join(model.to_schema().unique or [])} as another" if name == TWICE else f"fail {name}"
        )
        what = f"{len(index)} row(s) {fails}, first {index[:ROWS_SHOWN]}"
        found.append(Problem(where, what, f"see the definition of {model.__name__}"))
    for (column, name), group in cases[~whole].groupby(["column", "check"], sort=True):
        if name in ABOUT_COLUMNS:
            what = "unknown column" if name == "column_in_schema" else "missing column"
            found += [Problem(where, f"{what} {c!r}", f"a table of {model.__name__}") for c in group["failure_case"]]
            continue
        index = [int(i) for i in group["index"].dropna().head(ROWS_SHOWN)]
        what = f"column {column!r} fails {name} in {len(group)} row(s), first {index}"
        found.append(Problem(where, what, f"see the definition of {model.__name__}"))
    return found
