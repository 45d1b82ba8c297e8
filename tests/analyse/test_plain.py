"""A plain table, alone: the library call and the command."""

import json
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from accord.__main__ import main
from accord.analyse import analyse, disparities, groups
from accord.analyse.plain.analysis import Analysis
from accord.analyse.plain.reading import read
from accord.analyse.plain.showing.words import lines
from accord.analyse.tables.scores import Verification
from accord.engine.table import empty
from accord.errors import AccordError

HOW = {"subject": "who", "image": "photo", "bootstraps": 100}
TABLES = ["conditioned", "disparities", "extremes", "groups", "intersections"]
ATTRIBUTES = ["age", "pronoun", "tags"]


@pytest.fixture
def plain(rng):
    """120 people, two photos each; those of 50 and more who are `she` are served worse; a photo has several tags."""
    who = np.repeat(np.arange(120), 2)
    table = pd.DataFrame({"photo": [f"p{n:03d}" for n in range(240)], "who": [f"w{n:03d}" for n in who]})
    table["age"] = rng.choice(["18-29", "50+"], 120)[who]
    table["pronoun"] = rng.choice(["she", "he"], 120)[who]
    table["tags"] = [["p", "q"] if n % 2 else ["q"] for n in range(240)]
    worse = (table["age"] == "50+") & (table["pronoun"] == "she")
    table["accuracy"] = np.round(np.clip(rng.normal(0.75, 0.05, 240) - 0.3 * worse, 0, 1), 2)
    table["seconds"] = np.round(rng.gamma(9, 1, 240), 1)
    table.loc[5, "accuracy"] = np.nan
    return table


def same(one: Analysis, other: Analysis) -> None:
    for name, table in one.tables().items():
        pd.testing.assert_frame_equal(table, other.tables()[name])


def test_a_table_says_what_the_steps_say(plain):
    found = analyse(plain, score="accuracy", attributes=ATTRIBUTES, most=2, **HOW)
    key = plain[["photo", "who"]].set_axis(["image", "subject"], axis=1)
    scores = key.assign(task="table", model="table", metric="accuracy", value=plain["accuracy"])
    scores["note"] = np.where(plain["accuracy"].isna(), "no score", "")
    single = {n: key.assign(attribute=n, group=plain[n]).explode("group", ignore_index=True) for n in ATTRIBUTES}
    crossed = single["age"].merge(single["pronoun"], on=["image", "subject"], suffixes=("", "_too"))
    crossed = crossed.assign(attribute="age x pronoun", group=crossed["group"] + " x " + crossed["group_too"])
    members = pd.concat([*single.values(), crossed[[*key, "attribute", "group"]]], ignore_index=True)
    expected = groups.run(scores, members, empty(Verification))
    kept = found.groups["attribute"].isin(expected["attribute"])
    pd.testing.assert_frame_equal(found.groups[kept].reset_index(drop=True), expected)
    assert set(found.groups["attribute"]) == {*expected["attribute"], "age x tags", "pronoun x tags"}
    sizes = found.groups.set_index(["attribute", "group"])["images"]
    assert (sizes["tags", "q"], sizes["tags", "p"], sizes["all", "all"]) == (239, 119, 239)
    single_ones = disparities.run(scores, pd.concat(single.values()), bootstraps=100).set_index("attribute")
    told = found.disparities.set_index("attribute")
    assert told.loc["age x pronoun", ["worst", "claimed"]].tolist() == ["50+ x she", True]
    figures = ["worst", "best", "disparity", "p_value", "low", "high", "effect", "pairs"]
    pd.testing.assert_frame_equal(told.loc[ATTRIBUTES, figures], single_ones.loc[ATTRIBUTES, figures])
    assert found.intersections["group"].tolist() == ["50+ x she"]
    assert set(found.extremes["attribute"]) == set(told.index)


@pytest.mark.parametrize("form", ["csv", "csv separated", "parquet", "without attributes"])
def test_a_file_says_the_same_as_the_frame(plain, tmp_path, form):
    how = HOW | {"score": ["accuracy", "seconds"], "lower_is_better": ["seconds"], "most": 2}
    expected = analyse(plain, attributes=ATTRIBUTES, **how)
    file, more = tmp_path / f"scores.{form.split()[0]}", {"attributes": ATTRIBUTES}
    if form == "parquet":
        plain.to_parquet(file)
    elif form == "csv separated":
        file = tmp_path / "scores.csv"
        plain.assign(tags=["; ".join(tags) for tags in plain["tags"]]).to_csv(file, index=False)
        more["separator"] = ";"
    else:
        file, more = tmp_path / "scores.csv", more if form == "csv" else {}
        plain.assign(tags=[json.dumps(tags) for tags in plain["tags"]]).to_csv(file, index=False)
    same(analyse(file, **how, **more), expected)


def test_a_long_table_says_the_same_as_a_wide_one(plain):
    wide = analyse(plain, score=["accuracy", "seconds"], attributes=ATTRIBUTES, **HOW)
    long = plain.melt(["photo", "who", *ATTRIBUTES], ["accuracy", "seconds"], "what", "much")
    long = long.sample(frac=1, random_state=3).assign(net="table")
    same(analyse(long, score="much", metric="what", model="net", attributes=ATTRIBUTES, **HOW), wide)


def test_several_models_are_told_apart(plain):
    both = pd.concat([plain.assign(net="good", accuracy=0.9), plain.assign(net="bad")])
    found = analyse(both, score="accuracy", model="net", attributes=["age", "pronoun"], most=2, **HOW)
    told = found.intersections.set_index("model")["group"]
    assert told.to_dict() == {"good": "", "bad": "50+ x she"}


def test_numbers_and_missing_values_are_groups_and_none(plain):
    plain["count"] = [1.0, np.nan] * 60 + [2.0, 2.0] * 60
    found = analyse(plain, score="seconds", attributes=["count"], **HOW).groups.set_index(["attribute", "group"])
    assert found.loc["count", "images"].to_dict() == {"1": 60, "2": 120}


def test_all_problems_of_the_call_are_told_at_once(plain):
    with pytest.raises(AccordError) as error:
        analyse(plain, score="s", subject="nobody", attributes=["age", "b"], crossed=["pronoun"], most=5,
                correction="x", min_subjects=1, bootstraps=1)  # fmt: skip
    assert [f"{p.where}: {p.what}" for p in error.value.problems] == [
        "crossed: 'pronoun' is not among the attributes",
        "most: 5 attributes can't be combined",
        "correction: 'x' is not known",
        "min_subjects: 1 is too few",
        "bootstraps: 1 is too few",
        "column 's': is not in the table",
        "column 'nobody': is not in the table",
        "column 'b': is not in the table",
    ]


def test_all_problems_of_the_data_are_told_at_once_without_the_data(plain):
    plain = plain.astype({"accuracy": object, "pronoun": object, "age": object})
    plain.loc[3, "accuracy"], plain.loc[7, "accuracy"] = "secret", 75
    plain.loc[4, "who"], plain.loc[9, "photo"], plain.loc[9, "who"] = "", plain.loc[8, "photo"], plain.loc[8, "who"]
    plain["pronoun"] = "x x y"
    plain.loc[[8, 9], "age"] = ["18-29", "50+"]
    plain["none"], plain["number"] = "", np.arange(240) % 239 + 0.5
    plain = pd.concat([plain] * 3, ignore_index=True).assign(
        photo=[f"{n // 240}{p}" for n, p in enumerate([*plain["photo"]] * 3)]
    )
    plain["number"] = np.arange(720) + 0.5
    with pytest.raises(AccordError) as error:
        analyse(plain, score="accuracy", attributes=["age", "pronoun", "none", "number"], lower_is_better=["zz"], **HOW)
    assert [f"{p.where}: {p.what}" for p in error.value.problems] == [
        "column 'who': 3 row(s) have no subject, first in rows 5, 245, 485",
        "column 'accuracy': 3 value(s) are not finite numbers, first in rows 4, 244, 484",
        "metric 'accuracy': 3 value(s) are outside 0 to 1, the range of this metric",
        "rows: 3 row(s) are duplicates, first rows 10, 250, 490",
        "lower_is_better: 'zz' is not a metric",
        "column 'age': has different values for the same person in the same image, in 3 cases",
        "column 'pronoun': has values with ' x ' in them, which separates the groups of intersections",
        "column 'none': is empty: there are no groups",
        "column 'number': has 720 different values",
        "column 'number': has different values for the same person in the same image, in 3 cases",
    ]
    assert "secret" not in str(error.value)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00bad", None])
def test_a_file_that_is_no_table_is_refused(tmp_path, content):
    file = tmp_path / "scores.csv"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(
        AccordError, match="does not exist" if content is None else "is not (a readable table|valid CSV in UTF-8)"
    ):
        analyse(file, score="s", subject="who")


@pytest.mark.parametrize(
    ("content", "problems"),
    [("s;who\n1;a\n", [("", "looks separated by semicolons")]),
     ("s\twho\n1\ta\n", [("", "looks separated by tabs")]),
     ("s,who,age\n1,a,old\n\n0,b\n1,c,old,no\n",
      [(", line 4", "has 2 cells, not 3"), (", line 5", "has 4 cells, not 3")]),
     ("s,who,age\n1,a,old,\n1,b,old,\n", [(f", line {n}", "has 4 cells, not 3") for n in (2, 3)]),
     ("sep=;\ns;who;age\n1;a;old\n1;b\n", [(", line 4", "has 2 cells, not 3")]),
     ("sep=,\ns,who,s,age,age\n1,a,2,x,y\n", [(", line 2", f"has column {n!r} more than once") for n in ("age", "s")]),
     ("sep=,\ns;who;age\n1;a;old\n", [("", "looks separated by semicolons")]),
     ("s,who,s,age,age\n1,a,2,x,y\n", [(", line 1", f"has column {n!r} more than once") for n in ("age", "s")])],
)  # fmt: skip
def test_rows_that_would_be_filled_or_shifted_are_refused(tmp_path, content, problems):
    """A truncated last row counted as a person of no group; one comma too many made the first column an index."""
    file = tmp_path / "scores.csv"
    file.write_text(content)
    with pytest.raises(AccordError) as error:
        analyse(file, score="s", subject="who")
    assert [(one.where.removeprefix(str(file)), one.what) for one in error.value.problems] == problems


def test_a_packed_file_is_read_as_the_plain_one(plain, tmp_path):
    for name in ("scores.csv", "scores.csv.gz"):
        plain.to_csv(tmp_path / name, index=False)
    same(*(analyse(tmp_path / name, score="accuracy", attributes=["age"], **HOW) for name in
           ("scores.csv", "scores.csv.gz")))  # fmt: skip


@pytest.mark.parametrize("first", ["sep=,\n", '"sep=,"\r\n', "\ufeffsep=,\n", "SEP=;\n", "sep=\t\n"])
def test_a_first_line_that_names_the_separator_is_no_header(plain, tmp_path, first):
    sign = next(sign for sign in (";", "\t", ",") if sign in first)
    file, apart = tmp_path / "scores.csv", tmp_path / "apart.csv"
    plain.to_csv(file, index=False)
    apart.write_text(first + plain.to_csv(index=False, sep=sign), encoding="utf-8", newline="")
    same(*(analyse(one, score="accuracy", attributes=["age"], **HOW) for one in (file, apart)))


def command(monkeypatch, *words):
    monkeypatch.setattr(sys, "argv", ["accord", "analyse", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code


def test_the_command_prints_what_it_finds_and_writes_tables(plain, tmp_path, monkeypatch, capsys):
    file, out = tmp_path / "scores.csv", tmp_path / "a" / "b"
    plain.drop(columns="tags").to_csv(file, index=False)
    flags = ["--score", "accuracy", "--subject", "who", "--image", "photo", "--attributes", "age", "pronoun"]
    assert command(monkeypatch, file, *flags, "--most", 2, "--bootstraps", 100, "--out", out) == 0
    said = capsys.readouterr().out
    assert "  compared by 2 attributes and 1 intersection; certain (between subjects" in said
    assert (
        f"everyone: mean {plain['accuracy'].mean():.3g} [95% interval " in said and "239 images of 120 subjects" in said
    )
    assert "age x pronoun: 50+ x she worse than " in said
    assert "1 of 4 combined groups does worse than each of its parts, beyond chance:\n    50+ x she: mean" in said
    expected = analyse(file, score="accuracy", attributes=["age", "pronoun"], most=2, **HOW)
    assert command(monkeypatch, file, *flags, "--most", 2, "--bootstraps", 100, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert {name: len(rows) for name, rows in told.items()} == {n: len(t) for n, t in expected._asdict().items()}
    assert told["remarks"] == []
    assert told["disparities"][0]["claimed"] in (True, False)
    for name in expected.tables():
        written = pd.read_csv(out / f"{name}.csv", keep_default_na=False, na_values={"mean": ""})
        assert len(written) == len(getattr(expected, name)) and f"{name}.csv" in said


def test_a_label_that_is_a_formula_is_text_in_what_is_written_and_read(plain, tmp_path, monkeypatch):
    plain["age"] = plain["age"].replace("50+", "=1+1")
    plain.drop(columns=["photo", "tags"]).to_csv(tmp_path / "given.csv", index=False)
    flags = ["--score", "accuracy", "--subject", "who", "--attributes", "age", "--bootstraps", 100]
    command(monkeypatch, tmp_path / "given.csv", *flags, "--out", tmp_path)
    assert set(pd.read_csv(tmp_path / "groups.csv")["group"]) == {"all", "18-29", "'=1+1"}
    assert set(read(tmp_path / "groups.csv")["group"]) == {"all", "18-29", "=1+1"}


@pytest.mark.parametrize("out, told", [("scores.csv/below", "Not a directory"), ("/proc/x", "No such")])
def test_a_folder_that_can_t_be_written_is_told_before_the_work(plain, tmp_path, monkeypatch, capsys, out, told):
    monkeypatch.chdir(tmp_path)
    plain.drop(columns="tags").to_csv("scores.csv", index=False)
    assert command(monkeypatch, "scores.csv", "--score", "accuracy", "--subject", "who", "--out", out) == 2
    said = capsys.readouterr()
    assert said.out == "" and f"--out: {out} can't be written ({told}" in said.err


def test_a_report_in_a_folder_that_is_missing_is_told_before_the_work(plain, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    plain.drop(columns="tags").to_csv("scores.csv", index=False)
    assert command(monkeypatch, "scores.csv", "--score", "accuracy", "--subject", "who", "--report", "no/x.html") == 2
    said = capsys.readouterr()
    assert said.out == "" and "--report: no/x.html can't be written: its folder doesn't exist" in said.err
    assert not (tmp_path / "no").exists()


def test_a_difference_that_another_attribute_makes_is_told_as_that(tmp_path, monkeypatch, capsys, rng):
    """Of group c most pictures are dark, and darkness lowers scores; the group itself does not."""
    owner = np.repeat(np.arange(200), 3)
    group = np.where(owner % 4 == 0, "c", "a")
    dark = rng.random(600) < np.where(group == "c", 0.8, 0.15)
    score = 0.8 - 0.35 * dark + rng.normal(0, 0.05, 200)[owner] + rng.normal(0, 0.05, 600)
    table = pd.DataFrame({"person": owner, "score": score, "anc": group, "light": np.where(dark, "dark", "light")})
    table.to_csv(tmp_path / "scores.csv", index=False)
    assert command(monkeypatch, tmp_path / "scores.csv", "--bootstraps", "100", "--out", tmp_path / "out") == 0
    said = capsys.readouterr().out
    assert "    light: dark worse than light: mean 0." in said and "    light: worst dark 0." in said
    assert "over images" not in said
    assert "    not certain: anc: explained by light: no difference remains among subjects of the same light\n" in said


def test_the_command_finds_nothing_where_nothing_is(tmp_path, monkeypatch, capsys):
    file, out = tmp_path / "scores.parquet", tmp_path / "out"
    table = pd.DataFrame({"s": np.tile([0.5, 0.7], 40), "who": np.arange(80), "g": ["a"] * 40 + ["b"] * 38 + ["c"] * 2})
    table.to_parquet(file)
    flags = ["--score", "s", "--subject", "who", "--bootstraps", "100", "--out", out]
    assert command(monkeypatch, file, *flags) == 0
    said = capsys.readouterr().out
    assert "  compared by 1 attribute: no difference between groups is certain\n" in said
    assert "  not compared, with too few subjects: g: c (2)\n" in said
    assert sorted(f.name for f in out.iterdir()) == [f"{name}.parquet" for name in TABLES]


def test_where_nothing_can_be_compared_the_summary_says_so():
    few = pd.DataFrame({"s": [0.5, 0.6, 0.7], "who": list("abc"), "g": list("xxy")})
    told = list(lines(analyse(few, score="s", subject="who", bootstraps=100)))
    assert told == [
        "s",
        "  everyone: 3 subjects, fewer than 10, 3 rows of 3 subjects",
        "  nothing can be compared: no attribute has two groups with enough subjects",
        "  not compared, with too few subjects: g: x (2), y (1)",
    ]


def test_rows_without_a_score_are_told_in_print():
    table = pd.DataFrame({"s": [0.5, None] * 20, "who": np.arange(40), "g": ["a", "a", "b", "b"] * 10})
    told = list(lines(analyse(table, score="s", subject="who", bootstraps=100)))
    assert "  left out: 20 undefined: no score" in told


@pytest.mark.parametrize("other", ["S1 ", "S1.0", "Ｓ1"])
def test_one_person_in_two_spellings_is_refused(other):
    table = pd.DataFrame({"s": [0.5, 0.6, 0.7], "who": ["S1", other, "S2"], "g": list("xxy")})
    with pytest.raises(AccordError, match="column 'who': 2 of the people differ from another only by blanks"):
        analyse(table, score="s", subject="who")


@pytest.mark.parametrize("other", ["a.jpg ", "ａ.jpg"])
def test_one_image_in_two_spellings_is_refused(other):
    table = pd.DataFrame({"s": [0.5, 0.6, 0.7], "pic": ["a.jpg", other, "b.jpg"], "who": list("uvw"), "g": list("xxy")})
    with pytest.raises(AccordError, match="column 'pic': 2 of the images differ from another only by blanks"):
        analyse(table, score="s", subject="who", image="pic")


@pytest.mark.parametrize(("asked", "there"), [
    ("Geschl\u00e9cht", "Geschle\u0301cht"), ("Geschle\u0301cht", "Geschl\u00e9cht "), ("sex", "\uff53\uff45\uff58"),
])  # fmt: skip
def test_a_column_is_found_in_another_spelling(tmp_path, asked, there):
    named = {"score": "s", "subject": "who", "bootstraps": 100}
    table = pd.DataFrame({"s": np.linspace(0, 1, 40), "who": [f"p{n}" for n in range(40)], there: list("ab") * 20})
    table.to_csv(tmp_path / "t.csv", index=False)
    for given in (table, tmp_path / "t.csv"):
        found = analyse(given, attributes=[asked], **named)
        assert set(found.groups["attribute"]) == {"all", asked}
        assert asked in analyse(given, sensitive_features=asked, **named).groups["attribute"].tolist()
    assert there in table.columns


def test_columns_that_have_one_name_in_two_spellings_are_refused():
    table = pd.DataFrame({"s": [0.5, 0.6], "Zo\u00eb": list("xy"), "Zoe\u0308": list("xy")})
    with pytest.raises(AccordError, match=r"columns: 2 have one name in several spellings: Zo\\xeb, Zoe\\u0308"):
        analyse(table, score="s")
    with pytest.raises(AccordError, match="column 'Sex': is not in the table\n    hint: did you mean 'sex'"):
        analyse(pd.DataFrame({"s": [0.5, 0.6], "sex": list("xy")}), score="s", attributes=["Sex"])


@pytest.mark.parametrize("labels", [["01", "1"], ["A", "\u0410"], ["yes", "Yes "]])
def test_groups_in_two_spellings_are_told(labels):
    table = pd.DataFrame({"s": np.linspace(0, 1, 40), "who": [f"p{n}" for n in range(40)], "g": labels * 20})
    remarks = analyse(table, score="s", subject="who", attributes=["g"], bootstraps=100).remarks
    assert any(one.startswith("'g' has 2 groups that differ from another only in capitals, blanks") for one in remarks)


@pytest.mark.parametrize(
    "labels", [["1", "1.0"], ["Zo\u00eb", "Zoe\u0308"], ["x ", "x"], ["['1', 'b']", "['b', '1.0']"]]
)
def test_a_group_in_several_spellings_is_one(labels):
    table = pd.DataFrame(
        {"s": np.linspace(0, 1, 60), "who": [f"p{n}" for n in range(60)], "g": [*labels, "other"] * 20}
    )
    found = analyse(table, score="s", subject="who", attributes=["g"], bootstraps=100)
    sizes = found.groups[found.groups["attribute"] == "g"].set_index("group")["subjects"]
    assert sizes.max() == 40 and sizes["other"] == 20 and "\u0308" not in "".join(sizes.index)
    (told,) = [one for one in found.remarks if "spellings" in one]
    assert told.startswith("'g' has 1 group in several spellings, such as '")
    assert told.endswith(": each counts as one group.") and told.isascii()


@pytest.mark.parametrize("one", ["P07", "\u04407"])
def test_people_who_are_near_one_another_are_told(one):
    people = [*(f"p{n}" for n in range(39)), one]
    table = pd.DataFrame({"s": np.linspace(0, 1, 40), "who": people, "g": list("ab") * 20})
    remarks = analyse(table, score="s", subject="who", bootstraps=100).remarks
    assert any(
        one.startswith("2 people in 'who' differ from another only in capitals, blanks, signs") for one in remarks
    )


def test_a_label_forges_no_line_of_what_is_printed():
    table = pd.DataFrame({"s": [0.5, 0.6], "who": ["a", "b"], "g": ["x\n  everyone: mean 1.0", "\x1b[31my"]})
    with pytest.raises(AccordError, match="column 'g': has 2 values with line breaks or other control characters"):
        analyse(table, score="s", subject="who")


def test_the_command_ends_with_2_and_says_what_is_wrong(plain, tmp_path, monkeypatch, capsys):
    file = tmp_path / "scores.csv"
    plain.to_csv(file, index=False)
    assert command(monkeypatch, file, "--score", "speed", "--subject", "who") == 2
    assert "column 'speed': is not in the table" in capsys.readouterr().err


def test_naming_the_package_imports_nothing_heavy():
    code = "import sys, accord.analyse; print('pandas' in sys.modules, hasattr(accord.analyse, 'nothing'))"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "False False\n"
    )


def test_an_attribute_that_nobody_can_be_compared_by_is_not_counted():
    some = pd.DataFrame({"s": np.tile([0.5, 0.7], 60), "who": [*range(40), *np.repeat(np.arange(40, 80), 2)]})
    some["g"], some["h"] = ["a"] * 40 + ["b"] * 80, np.where(some["who"] % 2, "odd", "even")
    some["s"] = some["s"].where(some.index % 4 < 2, 0.6)
    told = list(lines(analyse(some, score="s", subject="who", attributes=["g"], bootstraps=100)))
    why = "no two of their groups have subjects with equally many images"
    assert told[2] == f"  not compared between subjects: 1 attribute, since {why}"
    assert not any("compared by" in line for line in told)
    both = list(lines(analyse(some, score="s", subject="who", attributes=["g", "h"], bootstraps=100)))
    assert both[3].startswith("  compared by 1 attribute")


def test_the_worst_of_an_attribute_is_the_one_with_the_worst_mean_that_is_told():
    """By the median C is worse, by the mean A."""
    rows = [("C", 0.5)] * 12 + [("C", 1.0)] * 8 + [("A", 0.6)] * 15 + [("A", 0.1)] * 5
    of = pd.DataFrame(rows, columns=["region", "score"]).assign(person=range(40))
    of["right"] = ([1.0] * 15 + [0.0] * 5) + ([1.0] * 18 + [0.0] * 2)
    how = {"subject": "person", "attributes": ["region"], "bootstraps": 100, "min_subjects": 5}
    said = "\n".join(lines(analyse(of, score=["score", "right"], **how)))
    assert re.search(r"region: worst A 0.475 \[0.\d+, 0.\d+\] \(20\), best C 0.7 \[0.\d+, 0.\d+\] \(20\)$", said, re.M)
    assert re.search(r"region: worst C 0.75 \[0.\d+, 0.\d+\] \(20\), best A 0.9 \[0.\d+, 0.\d+\] \(20\)$", said, re.M)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"seed": -1}, "seed: is -1"),
        ({"bootstraps": 10**9}, "1000000000 is too many"),
        ({"attributes": ["all"]}, "column 'all': has a reserved name"),
    ],
)
def test_numbers_and_names_that_no_comparison_takes_are_told(wrong, said):
    table = pd.DataFrame({"score": [0.0, 1.0] * 20, "all": ["all", "b"] * 20})
    with pytest.raises(AccordError) as error:
        analyse(table, **{"score": "score", "attributes": ["all"], **wrong})
    assert said in str(error.value)
