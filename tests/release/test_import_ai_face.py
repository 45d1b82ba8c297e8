"""Reading archives in AI-Face's format: small ones, written here."""

import json
from pathlib import Path

import pandas as pd
import pytest
import sources_cases as cases

from accord.audit.evidence import erasures
from accord.errors import AccordError
from accord.imaging import bundle, decode
from accord.release import list_sources
from accord.release.sources import described, published_table
from accord.report.reading import waiting

REAL, OTHER, FAKE = "real/FF++/000/1.png", "real/FF++/003/1.png", "fake/FaceSwap/000_003/1.png"
THIRD, GAN = "real/FF++/007/1.png", "fake/StyleGAN2/1.png"


@pytest.fixture
def root(tmp_path):
    return cases.write(tmp_path / "AI-Face")


def problems(root):
    with pytest.raises(AccordError) as caught:
        cases.lists(root)
    return [str(problem).replace(f"{root}/", "") for problem in caught.value.problems]


def test_a_small_archive_by_hand(root, tmp_path):
    [read] = cases.imported(root, tmp_path)
    sources = read.sources.set_index("image")
    assert sources[["subset", "category", "method", "label"]].T.to_dict("list") == {
        REAL: ["FF++", "real", "none", 0],
        OTHER: ["FF++", "real", "none", 0],
        THIRD: ["FF++", "real", "none", 0],
        FAKE: ["FF++", "deepfake", "FaceSwap", 1],
        GAN: ["StyleGAN2", "gan", "StyleGAN2", 1],
    }
    people = read.people.groupby("image")["subject"].agg(list).to_dict()
    assert people[FAKE] == ["FF++/000", "FF++/003"] and people[REAL] == ["FF++/000"] and people[GAN] == [GAN]
    primary = read.people[read.people["is_primary"]].set_index("image")["subject"]
    assert primary[FAKE] == "FF++/000"
    said = read.attributes[read.attributes["image"] == OTHER].set_index("attribute")["value"].to_dict()
    assert said == {"gender": "female", "age_presentation": "0-14", "skin": "dark", "skin_tone": "9"}
    assert set(read.attributes["annotator"]) == {"annotators"}


def test_pictures_are_taken_as_they_are(root, tmp_path):
    [read] = cases.imported(root, tmp_path)
    row = next(read.derivatives[read.derivatives["image"] == FAKE].itertuples())
    data = bundle.read(tmp_path / "00.tar", row)
    assert data == (root / FAKE).read_bytes() and (row.width, row.height) == (64, 64)
    assert (decode.decode(data) == cases.noise(3)).all()


def test_each_sources_terms_hold_for_its_pictures_and_those_of_the_run_only_forbid(root, tmp_path):
    [read] = cases.imported(root, tmp_path)
    terms = read.terms.set_index("image").T.to_dict("list")
    assert terms[FAKE] == [True, False] and terms[GAN] == [False, True]
    [read] = cases.imported(root, tmp_path, terms={"train": False, "external": True})
    terms = read.terms.set_index("image").T.to_dict("list")
    assert terms[FAKE] == [False, False] and terms[GAN] == [False, True]


def test_new_terms_of_a_source_reach_its_pictures(root, tmp_path):
    (root / "sources.yaml").write_text(cases.SOURCES.replace("train: true", "train: false"))
    [read] = cases.imported(root, tmp_path)
    assert not read.terms["train"].any()


def test_the_documented_form_of_the_table_says_the_same(root, tmp_path):
    [read] = cases.imported(root, tmp_path)
    codes = dict(enumerate((0, 1, 3, 4, 5)))
    rows = {path: (gender, codes[age], *rest) for path, (gender, age, *rest) in cases.ROWS.items()}
    columns = ["Image Path", "Predicted Gender", "Predicted Age", "Predicted Skin Tone", "Intersection", "Target"]
    (root / "sources.yaml").write_text(cases.SOURCES.replace("ages: [0, 1, 2, 3, 4]", ""))
    (root / "annotations.csv").unlink()
    half = {path: rows[path] for path in list(rows)[:3]}
    cases.write_table(root / "train.csv", half, columns)
    cases.write_table(root / "test.csv", {path: rows[path] for path in rows if path not in half}, columns)
    [other] = cases.imported(root, tmp_path)
    pd.testing.assert_frame_equal(read.attributes, other.attributes)
    pd.testing.assert_frame_equal(read.sources, other.sources)


def test_people_withdraw_from_every_picture_of_theirs_and_pictures_alone(root, tmp_path):
    before = cases.lists(root)["00"].set_index("image")["split"]
    (root / "withdrawn.csv").write_text(f"Image Path,People Of,Identity\n,FF++,003\n{GAN},,\n")
    [read] = cases.imported(root, tmp_path)
    for name in ("derivatives", "people", "attributes", "public", "terms", "sources", "prints"):
        assert set(getattr(read, name)["image"]) == {REAL, THIRD}, name
    after = read.sources.set_index("image")["split"]
    assert (after == before[after.index]).all()
    summary = list_sources.run([], archive=root, shards=1, cut=False)["sources.json"]
    assert (summary["pictures"], summary["withdrawn"]) == (2, 3)


@pytest.mark.parametrize("cut", [False, True])
def test_pictures_that_don_t_fit_the_pattern_of_their_source_are_told_without_names(tmp_path, cut):
    """Each would be a person of its own: in training and test, and found by no withdrawal."""
    more = {"fake/FaceSwap/ada_ben_cleo/1.png": (1, 2, 2, 3, 1), "real/FF++/deep/er/1.png": (1, 2, 2, 3, 0)}
    root = cases.write(tmp_path / "AI-Face", cases.ROWS | more)
    with pytest.raises(AccordError) as caught:
        cases.lists(root, cut=cut)
    told = [str(problem) for problem in caught.value.problems]
    assert len(told) == 2
    assert "'fake/FaceSwap', whose pattern `people` doesn't fit 1 picture of it" in told[0]
    assert "of the form aaa_aaa_aaaa/0.png" in told[0] and "ada" not in told[0]
    assert "'real/FF++', whose pattern" in told[1] and "annotations.csv, line 8" in told[1]


def test_people_are_known_by_names_of_all_kinds(tmp_path):
    names = ("anna-maria", "Jose_Luis", "o'neil", "Zoe\N{COMBINING DIAERESIS}", "van der Berg")
    rows = {f"real/FF++/{name}/{n}.png": (1, 2, 2, 3, 0) for name in names for n in range(3)}
    root = cases.write(tmp_path / "AI-Face", cases.ROWS | rows)
    lines = [f",FF++,{name}" for name in (*names[:3], "Zo\N{LATIN SMALL LETTER E WITH DIAERESIS}")]
    whole = cases.lists(root)["00"]
    assert whole.groupby("subject")["split"].nunique().max() == 1
    (root / "withdrawn.csv").write_text("\n".join(["Image Path,People Of,Identity", *lines, ""]))
    left = cases.lists(root)["00"]
    assert len(whole) - len(left) == 4 * 3 and set(left["image"]) >= set(cases.ROWS)


def test_a_line_of_the_withdrawn_that_names_nothing_is_told(root):
    (root / "withdrawn.csv").write_text("Image Path,People Of,Identity\n,,003\n../AI-Face/real/FF++/000/1.png,,\n")
    told = problems(root)
    assert told[0].startswith("withdrawn.csv, line 2: names neither a picture nor a person, or both")
    assert told[1].startswith("withdrawn.csv, line 3: names no plain path in the archive") and len(told) == 2


def test_a_line_that_names_nobody_in_the_archive_is_told_without_its_words(root, tmp_path, capsys):
    """A mistyped one: whoever it means is still used."""
    lines = [",FF++,030", ",FF+,003", f"{GAN},,", "fake/StyleGAN2/9.png,,", ",FF++,003", ",FF++,030"]
    (root / "withdrawn.csv").write_text("\n".join(["Image Path,People Of,Identity", *lines, ""]))
    made = list_sources.run([], archive=root, shards=1, cut=False)
    assert made["sources.json"]["unmatched_lines"] == [2, 3, 5, 7]
    told = capsys.readouterr().err
    assert told.startswith("4 lines of withdrawn.csv (2, 3, 5, 7) name no picture and nobody in the archive.")
    assert not any(name in told for name in ("030", "003", "9.png"))
    (tmp_path / "release").mkdir()
    (tmp_path / "release/sources.json").write_text(json.dumps(made["sources.json"]))
    assert waiting.counts(tmp_path).unmatched_lines == [2, 3, 5, 7]
    [check] = erasures.unmatched_lines(tmp_path)
    assert check.verdict == "warn" and "4 lines of withdrawn.csv" in check.what
    (root / "withdrawn.csv").write_text("Image Path,People Of,Identity\n,FF++,003\n")
    made = list_sources.run([], archive=root, shards=1, cut=False)
    assert made["sources.json"]["unmatched_lines"] == [] and capsys.readouterr().err == ""
    (tmp_path / "release/sources.json").write_text(json.dumps(made["sources.json"]))
    assert [one.verdict for one in erasures.unmatched_lines(tmp_path)] == ["pass"]


def test_somebody_and_whoever_looks_like_them_are_in_one_shard(root, tmp_path):
    whole = cases.lists(root, 8)
    where = {image: name for name, listed in whole.items() for image in listed["image"]}
    assert len(where) == 5 and where[REAL] == where[FAKE]


def test_everything_that_is_wrong_in_the_table_is_told_at_once(root):
    rows = dict(cases.ROWS) | {
        "../secret.png": (1, 2, 2, 3, 1),
        "elsewhere/1.png": (1, 2, 2, 3, 1),
        "fake/StyleGAN2/2.png": (2, 2, 11, 3, 1),
        "fake/StyleGAN2/3.png": (1, 5, 2, 3, 1),
        "fake/StyleGAN2/4.png": (1, 2, 2, 0, 1),
        "fake/StyleGAN2/5.png": (1, 2, 2, 3, 0),
        "fake/StyleGAN2/6.png": (1, 2, 2, 3, ""),
    }
    cases.write_table(root / "annotations.csv", rows)
    cases.write_table(root / "test.csv", {REAL: cases.ROWS[REAL]})
    told = problems(root)
    expected = [
        "line 9: Gender is not a whole number from 0 to 1",
        "line 9: Skin Tone is not a whole number from 1 to 10",
        "line 13: Target is not a whole number from 0 to 1",
        "test.csv, line 2: has the picture of annotations.csv, line 2 again",
        "line 10: Age 5 is none of 0, 1, 2, 3, 4",
        "line 11: Intersection is not that of Gender and Skin Tone",
        "line 7: Image Path is no plain path",
        "line 8: is of an unknown source",
        "line 12: Target is 0, but its source is gan",
    ]
    for what in expected:
        assert any(what in one for one in told), what
    assert len(told) == len(expected)


@pytest.mark.parametrize(
    ("ages", "what"),
    [((0, 3), "has ages 3 or 4, but neither 2 nor 5"), ((2, 5), "numbers ages both 0 to 4 and 0, 1, 3, 4, 5")],
)
def test_ages_that_could_mean_two_things_are_told(root, ages, what):
    (root / "sources.yaml").write_text(cases.SOURCES.replace("ages: [0, 1, 2, 3, 4]", ""))
    cases.write_table(
        root / "annotations.csv", dict(zip([REAL, OTHER], [(1, age, 2, 3, 0) for age in ages], strict=True))
    )
    assert any(what in one for one in problems(root))


def test_one_group_alone_needs_no_numbering(root):
    (root / "sources.yaml").write_text(cases.SOURCES.replace("ages: [0, 1, 2, 3, 4]", ""))
    rows = {path: (gender, min(age, 1), *rest) for path, (gender, age, *rest) in cases.ROWS.items()}
    cases.write_table(root / "annotations.csv", rows)
    assert set(cases.lists(root)["00"]["age"]) == set(published_table.AGE_GROUPS[:2])


def test_the_source_that_the_documentation_shows_is_read(tmp_path):
    shown = (Path(__file__).parents[2] / "docs/ai-face.md").read_text().split("### Add a source")[1]
    lines = shown.split("```yaml\n")[1].split("```")[0]
    (tmp_path / "sources.yaml").write_text(lines)
    [source] = described.read(tmp_path / "sources.yaml").sources
    assert (source.folder, source.frames, source.label, source.people_of) == ("FF++/FaceSwap", 10, 1, "FF++")
    assert source.terms == (True, False) and len(lines.splitlines()) <= 10


def test_everything_that_is_wrong_with_the_sources_is_told_at_once(root):
    (root / "sources.yaml").write_text(
        """
sources:
- {subset: A, category: painted, method: m, folder: ../up, terms: {train: true, external: false}}
- {subset: B, category: gan, method: m, folder: b, terms: {train: maybe, external: false}}
- {subset: C, category: gan, method: m, folder: c, frames: 0, colour: red, terms: {train: true, external: false}}
- {subset: D, category: gan, method: m, folder: d, people: '{a}{b}', terms: {train: true, external: false}}
- {subset: E, category: gan, method: m, folder: e, terms: {train: true, external: false}}
- {subset: E, category: gan, method: n, folder: e/f, terms: {train: true, external: false}}
- gan
"""
    )
    told = "\n".join(problems(root))
    for what in (
        "sources[0]: has the category 'painted'",
        "sources[0]: has a folder that is no plain path in the archive",
        "sources[1]: needs terms with train and external",
        "sources[2]: has an unknown key 'colour'",
        "sources[2]: has frames that are no number",
        "sources[3]: has a pattern `people` that can't be read",
        "has the folder 'e/f' inside of 'e'",
        "sources[6]: is not a map of keys",
    ):
        assert what in told


def test_what_is_no_picture_is_told_with_its_name(root, tmp_path):
    (root / GAN).write_bytes(b"no picture")
    (root / OTHER).unlink()
    with pytest.raises(AccordError) as caught:
        cases.imported(root, tmp_path)
    assert [problem.where for problem in caught.value.problems] == [f"image {GAN}", f"image {OTHER}"]


def test_a_picture_that_is_a_link_out_of_the_archive_is_refused(root, tmp_path):
    secret = tmp_path / "secret.png"
    cases.put(secret, cases.noise(9))
    (root / GAN).unlink()
    (root / GAN).symlink_to(secret)
    with pytest.raises(AccordError, match="is outside the archive"):
        cases.imported(root, tmp_path)
