"""The report says what the tables say, in one file that loads nothing."""

import json
import re

from accord.report import index, names, page


def text(html):
    body = re.sub(r"<script.*?</script>|<style.*?</style>", " ", html, flags=re.S)
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


def test_it_tells_the_claim_and_its_size(tables):
    said = text(index.run(**tables))
    assert "yunet (finding faces) does worse for South America than for Eastern Asia" in said
    assert "on average 0.42 against 0.79, D = 0.50 [0.40, 0.60]" in said
    assert "1 disparity holds after correction" in said
    assert (
        "Of 100 images, 80 passed; the reason that stopped most of the others (17): near duplicate of another image."
        in said
    )


def test_without_a_claim_it_claims_nothing(unbiased):
    said = text(index.run(**unbiased))
    assert "does worse for" not in said
    assert "No model did worse for any group of people by more than chance explains." in said


def test_where_nothing_can_be_compared_it_says_so(unbiased):
    disparities = unbiased["disparities"].assign(pairs=0, significant=False)
    said = text(index.run(**{**unbiased, "disparities": disparities}))
    assert "nothing can be said of bias" in said
    assert "by more than chance explains" not in said


def test_a_release_that_lost_nothing_has_a_page(tables):
    whole = tables["waterfall"].assign(images_in=100, images_out=100, stopped=0)
    said = text(index.run(**{**tables, "waterfall": whole, "edits": tables["edits"].head(0), "caution": ""}))
    assert "All 100 images passed." in said
    assert "What was painted out" not in said
    assert "Read this first" not in said


def test_how_alike_people_are_is_told_where_it_is_known(tables):
    assert "How alike people are" not in text(index.run(**tables))
    release = json.loads(tables["release"].read_text()) | {"anonymity": "By pronoun, the smallest group has k = 3."}
    tables["release"].write_text(json.dumps(release))
    assert "How alike people are By pronoun, the smallest group has k = 3." in text(index.run(**tables))


def test_small_groups_are_listed_with_the_reason(tables):
    assert "Ancestry Polynesia 20 60 fewer than 10 subjects" in text(index.run(**tables))


def test_everything_is_escaped(tables):
    html = index.run(**{**tables, "title": "<script>alert(1)</script>"})
    assert "<script>alert(1)</script>" not in html
    assert "Rendered &lt;people&gt;." in html
    assert page.embedded({"a": "</script>&"}) == '{"a": "\\u003c/script\\u003e\\u0026"}'


def test_it_loads_nothing_from_elsewhere_and_shows_no_picture(tables):
    html = index.run(**tables)
    markup = re.sub(r"<script>.*?</script>", "", html, flags=re.S)
    assert not re.search(r"<(img|link|iframe|object|embed)\b|\bsrc=|url\(|@import", markup)
    assert "data:image" not in html


def test_same_tables_same_bytes(tables):
    assert index.run(**tables) == index.run(**tables)


def test_labels_are_for_people():
    assert names.group("1. He/him/his x [18, 30)") == "He/him/his × 18-29"
    assert names.group("0. [102, 78, 65]") == "Type VI (darkest)"
    assert names.attribute("pronoun x age_group") == "Pronoun × Age"


def test_models_that_did_not_run_are_told_with_what_is_missing(tables):
    assert "Models that did not run" not in text(index.run(**tables))
    entry = {"task": "face_localization", "missing": ["its weights are missing: looked for weights/net.onnx"]}
    said = text(index.run(**{**tables, "models": {**tables["models"], "absent": entry}}))
    assert "Models that did not run model task why absent Finding faces its weights are missing: looked for" in said
