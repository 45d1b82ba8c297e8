"""Columns that name people: set aside, and said, unless somebody names them as attributes."""

import numpy as np
import pandas as pd
import pytest

from accord.analyse import analyse

FEW = {"bootstraps": 100}
IDS = "so it is taken for names or ids. If they are groups to compare, name it as an attribute."


def table_of(people, images, **columns):
    """So many people with so many images each; columns: a value, or a list of values, for each person."""
    who = np.repeat(np.arange(people), images)
    each = {name: [values[one] for one in who] for name, values in columns.items()}
    named = {"person": [f"p{n}" for n in who], "image": [f"{n}.jpg" for n in range(len(who))]}
    return pd.DataFrame(
        {**named, "score": np.linspace(0, 1, len(who)), "sex": np.resize(["f", "m"], people)[who]} | each
    )


def attributes(found):
    return set(found.groups["attribute"]) - {"all"}


def test_a_value_for_each_person_is_a_name_or_an_id(tmp_path):
    table = table_of(
        60,
        3,
        email=[f"SECRET{n}@x.org" for n in range(60)],
        born=[f"19{40 + n}-01-02" for n in range(60)],
        town=[f"SECRET{n // 2 * 2 if n < 40 else n}" for n in range(60)],
        when=list(pd.date_range("1950-01-01", periods=60)),
    )
    table.to_csv(tmp_path / "t.csv", index=False)
    for given in (table, tmp_path / "t.csv"):
        found = analyse(given, **FEW)
        assert attributes(found) == {"sex"}
        assert f"'email' has 60 different values among 60 people, {IDS}" in found.remarks
        assert f"'town' has 40 different values among 60 people, {IDS}" in found.remarks
        assert "SECRET" not in found.to_html() + repr(found) + found.groups.to_csv()


def test_people_in_a_column_without_a_usual_name_are_ids_too():
    table = table_of(50, 4).rename(columns={"person": "kandidat"})
    found = analyse(table, **FEW)
    assert attributes(found) == {"sex"}
    assert f"'kandidat' has 50 different values among 200 rows, {IDS}" in found.remarks


@pytest.mark.parametrize("people, values, images", [(8, 5, 1), (8, 5, 3), (12, 11, 2), (3000, 100, 1), (90, 20, 2)])
@pytest.mark.parametrize("known", [True, False])
def test_groups_of_several_people_stay_an_attribute(people, values, images, known):
    table = table_of(people, images, site=[f"s{n % values}" for n in range(people)])
    if not known and values == 20:  # 9 rows each: too few to tell them from ids
        return
    found = analyse(table if known else table.drop(columns="person"), **FEW)
    assert attributes(found) == {"sex", "site"}


@pytest.mark.parametrize("form", ["lists", "texts"])
def test_lists_are_told_by_the_values_in_them(form):
    """Nearly everybody has a list of their own, of few values that many have."""
    lists = [[f"t{place}" for place in range(8) if n + 1 >> place & 1] for n in range(200)]
    cells = lists if form == "lists" else ["; ".join(one) for one in lists]
    found = analyse(table_of(200, 1, tags=cells), separator=";", **FEW)
    assert attributes(found) == {"sex", "tags"}


def test_few_people_with_a_value_each_are_named_by_it():
    found = analyse(table_of(7, 2, email=[f"SECRET{n}@x.org" for n in range(7)]), **FEW)
    assert attributes(found) == {"sex"}


def test_whoever_names_the_column_gets_it():
    table = table_of(60, 3, email=[f"{n}@x.org" for n in range(60)])
    found = analyse(table, attributes=["email"], **FEW)
    assert attributes(found) == {"email"} and not [one for one in found.remarks if "names or ids" in one]
