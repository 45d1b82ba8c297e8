"""The report says what the tables say, in pages that load nothing."""

import html as entities
import io
import json
import re

import pandas as pd
import pytest

from accord.audit.targets import figure
from accord.engine import file_outputs
from accord.engine.table import empty
from accord.report import index
from accord.report.drawing import blocks
from accord.report.reading import sources
from accord.report.reading.exported import EXPORTED
from accord.report.reading.report_data import ReportData
from accord.report.telling import answers, names


def text(html):
    body = re.sub(r"<script.*?</script>|<style.*?</style>", " ", html, flags=re.S)
    return " ".join(entities.unescape(re.sub(r"<[^>]+>", " ", body)).split())


def first(tables):
    return text(index.run(**tables)["index.html"])


def test_the_first_screen_answers_four_questions(made):
    said = text(made["index.html"])
    assert "The one model whose groups could be compared does worse for South America (ancestry)" in said
    assert "How well? For whom worst? How sure is that? Why, probably?" in said
    assert "yunet Face detection average recall over IoU 0.50-0.95 (ar_iou) 0.70" in said
    assert "South America By ancestry: 0.42 on average (95% interval 0.37 to 0.47; 60 images of 20 people) for" in said
    assert "Very sure Chance alone would show such a difference in at most 1 of 10,000 reports like this." in said
    assert "Probably sharpness Most of the difference goes away (75%)" in said


def test_the_answers_of_each_model_are_found_once(tables, monkeypatch):
    asked, real = [], answers.all_answers
    monkeypatch.setattr(answers, "all_answers", lambda data: asked.append(*data.models) or real(data))
    made = index.run(**tables)
    assert asked == sorted({*asked}) and f"models/{asked[0]}.html" in made


def test_a_part_of_a_table_is_made_when_it_is_asked_for_and_once():
    groups = pd.DataFrame({"model": ["a", "b", "a"], "metric": ["x", "x", "y"]})
    compared = pd.DataFrame({"model_before": ["a", "b"], "model_after": ["b", "b"]})
    whole = {"groups": groups, "compared": compared, "numbers": pd.DataFrame({"n": [1]})}
    mine = ReportData(whole, {}, {"a": {}, "b": {}}, "", "").of("a")
    assert mine.groups.index.tolist() == [0, 2] and mine.by("y").groups.index.tolist() == [2]
    assert mine.compared.index.tolist() == [0] and mine.numbers["n"].tolist() == [1]
    assert mine.groups is mine.groups and [*mine.tables] == [*whole] and len(mine.tables) == 3


def test_a_model_page_says_what_is_behind_the_answers(made):
    said = text(made["models/yunet.html"])
    assert "Measured by average recall over IoU 0.50-0.95 (ar_iou)" in said
    assert "fit, from 0 to 1. Mean over images; 95% interval 0.65 to 0.75; 60 images of 20 people." in said
    assert "By ancestry: 0.42 on average (95% interval 0.37 to 0.47; 60 images of 20 people) for South America" in said
    assert "It holds in 1 of 2 ways of looking at the data." in said


def test_it_tells_the_claim_and_its_size(made):
    said = text(made["index.html"])
    assert "yunet (face detection) does worse for South America than for Eastern Asia" in said
    assert "0.42 on average (20 people) against 0.79 (21 people); D = 0.50 (95% interval 0.40 to 0.60)" in said
    assert "Of 100 images delivered, 80 were released and 20 were not, for 2 different reasons; " in said
    assert "the most frequent, with 17 images, is: near duplicate of another image." in said


def test_a_model_has_a_page_of_its_own(made):
    said = text(made["models/yunet.html"])
    assert "Intersections of two attributes" in said
    assert "He/him/his 0.40 n = 20 0.80 n = 20" in said
    assert "blurred pictures (sharpness ≤ 41.7)" in said
    assert "mean over images" in said
    assert "Genuine pairs are two pictures" not in said
    assert "Genuine pairs are two pictures" in text(made["models/sface.html"])
    assert "No pattern was looked for." in text(made["models/sface.html"])


def test_without_a_claim_it_claims_nothing(unbiased):
    said = first(unbiased)
    assert "does worse for" not in said
    assert "The one model whose groups could be compared does no worse for any group, by more than chance" in said
    assert "Not compared for any model: Polynesia (ancestry, 20 people)" in said
    assert "No one, as far as can be shown This does not prove that there is none. Not compared: Polynesia" in said
    page = text(index.run(**unbiased)["models/yunet.html"])
    assert "Not sure In 2 comparisons groups differ beyond chance from image to image" in page
    said = first({**unbiased, "disparities": unbiased["disparities"].assign(significant=False)})
    assert "A real difference smaller than 0.15 would be missed more than one time in five." in said


def test_where_nothing_can_be_compared_it_says_so(unbiased):
    disparities = unbiased["disparities"].assign(pairs=0, significant=False)
    said = first({**unbiased, "disparities": disparities})
    assert "nothing can be said about bias" in said
    assert "by more than chance explains" not in said


def test_a_release_that_lost_nothing_has_a_page(tables):
    whole = tables["waterfall"].assign(images_in=100, images_out=100, stopped=0)
    said = first({**tables, "waterfall": whole, "edits": tables["edits"].head(0), "caution": ""})
    assert "Of 100 images delivered, all were released." in said
    assert "What was painted out" not in said
    assert "Read this first" not in said


def test_every_section_says_when_it_is_empty(tables):
    kept = {"release", "models", "title", "caution"}
    made = index.run(**{name: value if name in kept else value[:0] for name, value in tables.items()})
    said = text(made["index.html"]) + text(made["models/sface.html"])
    for words in ("No model was evaluated.", "Nothing is known of who is in the dataset.", "No image was delivered.",
                  "No published numbers were given", "No group has a score.", "Nothing was compared.",
                  "No intersection of two attributes has enough people", "there are too few people.",
                  "No pattern was looked for.", "No group has enough pairs"):  # fmt: skip
        assert words in said


def test_how_alike_people_are_is_told_where_it_is_known(tables):
    assert "How alike people are" not in first(tables)
    release = json.loads(tables["release"].read_text()) | {"anonymity": "By pronoun, the smallest group has k = 3."}
    tables["release"].write_text(json.dumps(release))
    assert "How alike people are. By pronoun, the smallest group has k = 3." in first(tables)


def test_small_groups_are_listed_with_the_reason(made):
    assert "Ancestry Polynesia 20 60 fewer than 10 subjects" in text(made["index.html"])


def test_broken_published_numbers_are_told(made):
    said = text(made["index.html"])
    assert "Of 3 relations between published figures, 2 can't hold." in said
    assert "Paper 1 should be = 2: 1 less A slip 1 left" in said
    assert "A slip 1 right" not in said


def test_it_says_what_changed_and_why(made):
    said = text(made["index.html"])
    assert (
        "yunet (face detection, ar_iou): 0.60 before, 0.71 now (+0.10 a person on the pictures in both versions)."
        in said
    )
    assert "the model or the processing of the pictures is the reason." in said


def test_it_says_how_far_findings_can_be_trusted(made):
    said = text(made["models/yunet.html"])
    assert "South America fares worse than Eastern Asia (ar_iou) holds in 1 of 2 ways of analysing it." in said
    assert "How large a difference between people's averages must be to be found four times out of five" in said
    assert "He/him/his × South America ar_iou 20 0.300 South America 0.420 0.120" in said
    assert "She/her/hers He/him/his ar_iou sharpness 0.100 -0.100" in said


def test_it_says_where_people_are_and_who_is_mistaken(made):
    assert "Where faces are: share of each cell that their boxes cover (strongest colour: 0.25)" in text(
        made["index.html"]
    )
    said = text(made["models/sface.html"])
    assert "Pronoun: each group at its own thresholds" in said
    assert "Buzz cut 0.005 n = 2,000" in said


def test_everything_is_escaped(tables):
    made = index.run(**{**tables, "title": "<script>alert(1)</script>"})
    assert [name for name, page in made.items() if name.endswith(".html") and "<script>alert(1)" in page] == []
    assert "Rendered &lt;people&gt;." in made["index.html"]
    assert r"Rendered \<people\>." in made["cards/yunet.md"]


@pytest.mark.parametrize("name", ["index.html", "data.html", "models/yunet.html", "models/sface.html"])
def test_it_loads_nothing_from_elsewhere_and_shows_no_picture(made, name):
    html = made[name]
    markup = re.sub(r"<script>.*?</script>", "", html, flags=re.S)
    assert not re.search(r"<(img|link|iframe|object|embed|image)\b|\bsrc=|url\(|@import|\bstyle=", markup)
    assert "default-src 'none'" in entities.unescape(html)
    assert "unsafe" not in html


def test_same_tables_same_bytes(tables, made):
    assert all(
        one.equals(other) if isinstance(one, pd.DataFrame) else one == other
        for one, other in zip(index.run(**tables).values(), made.values(), strict=True)
    )


def test_every_figure_can_be_traced(tables, made):
    ids = {one for name, page in made.items() if name.endswith(".html") for one in figure.figures(page)}
    assert len(ids) > 15
    assert [one for one in ids if not sources.tables_of(one)] == []
    assert {key for one in ids for key in sources.tables_of(one)} <= tables.keys()


def test_tables_are_exported_without_images(made):
    for name in EXPORTED:
        read = pd.read_csv(io.StringIO(made[f"data/{name}.csv"]))
        assert list(read.columns) == list(made[f"data/{name}.parquet"].columns)
        of_ancestry = {"region"} if name == "probe_effects" else set()
        assert not ({"image", "subject", "region", "polygon"} - of_ancestry) & set(read.columns)
    assert made["data/edits.csv"] == "kind,method,regions,images\ncard,diffusion,1,1\n"
    assert all(f"data/{name}.csv" in made["data.html"] for name in EXPORTED)


def test_exports_carry_their_story(made):
    told = file_outputs.documents(
        {name: made[name] for name in made if name.startswith("data/")}, {"step": "report.index"}
    )
    assert b'"data/groups.csv"' in told["data/groups.parquet"]
    assert told["data/groups.csv"].startswith(b"task,model,metric")


def test_a_model_card_has_the_groups(made):
    card = made["cards/yunet.md"]
    assert "| Ancestry | Eastern Asia |" in card
    assert "| 60 | 20 | 0.790 | 0.740 to 0.840 |" in card
    assert "**For whom worst?** South America." in card


def test_an_empty_table_is_exported_with_its_columns(tables):
    made = index.run(**{**tables, "numbers": empty(index.Numbers)})
    assert made["data/numbers.csv"].startswith("file,line,name,rule")


def test_labels_are_for_people():
    assert names.group("1. He/him/his x [18, 30)") == "He/him/his × 18-29"
    assert names.group("0. [102, 78, 65]") == "Type VI (darkest)"
    assert names.attribute("pronoun x age_group") == "Pronoun × Age"


def test_models_that_did_not_run_are_told_with_what_is_missing(tables, made):
    assert "did not run" not in text(made["index.html"])
    entry = {"task": "face_localization", "missing": ["its weights are missing: looked for weights/net.onnx"]}
    other = index.run(**{**tables, "models": {**tables["models"], "absent": entry}})
    assert "absent (face detection) did not run: its weights are missing: looked for" in text(other["index.html"])
    assert "models/absent.html" not in other


def test_the_stronger_the_colour_the_worse_the_score():
    assert [blocks.worse(value, 0, 1, "lpips") for value in (0.0, 0.5, 1.0)] == [0, 4, 8]
    assert [blocks.worse(value, 0, 1, "ar_iou") for value in (0.0, 0.5, 1.0)] == [8, 4, 0]
    assert blocks.worse(float("nan"), 0, 1, "ar_iou") == -1


def test_scores_without_bounds_have_their_own_axis(tables):
    scores = {"mean": 27.0, "median": 27.0, "low": 25.0, "high": 29.0, "metric": "psnr"}
    said = index.run(**{**tables, "groups": tables["groups"].assign(**scores)})["models/yunet.html"]
    assert "in decibels" in text(said)
    assert "linear scale with values from 0 to 29" in said


def test_open_wishes_are_counted_on_the_first_page(tables):
    assert "Open wishes" not in first(tables)
    waiting = tables["open_wishes"].assign(wishes=[0, 1, 2])
    assert "3 requests (withdrawals" in first({**tables, "open_wishes": waiting})
