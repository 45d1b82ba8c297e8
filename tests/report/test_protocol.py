"""A report says whose definitions its scores follow, and tells of nothing that they don't say."""

import html
import re

import pytest

from accord.protocol import ACCORD, FHIBE_API, WORDS
from accord.report import index
from accord.report.sections import recognition


def text(page: str) -> str:
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", page)))


@pytest.mark.parametrize("protocol", [ACCORD, FHIBE_API])
def test_first_page_model_pages_and_cards_name_the_protocol(whole, protocol):
    made = index.run(**whole, protocol=protocol)
    for name in ("index.html", "models/yunet.html", "models/sface.html", "cards/yunet.md", "cards/sface.md"):
        assert WORDS[protocol] in text(made[name]), name
        assert f"(protocol {protocol})" in text(made[name])


def test_under_the_api_s_protocol_recognition_is_told_as_it_is(whole):
    of = {
        protocol: text(index.run(**whole, protocol=protocol)["models/sface.html"]) for protocol in (ACCORD, FHIBE_API)
    }
    intro = recognition.INTRO.format(odds="1 in 1,000")
    assert intro in of[ACCORD] and recognition.API_INTRO not in of[ACCORD]
    assert recognition.API_INTRO in of[FHIBE_API] and intro not in of[FHIBE_API]


def test_importance_and_support_are_told_as_what_they_are(whole):
    ours = text(index.run(**whole)["models/yunet.html"])
    assert "share of the scores' variance that a forest loses" in ours and "share of all errors" in ours
    causes = whole["causes"].assign(explained=float("nan"))
    theirs = text(index.run(**{**whole, "causes": causes}, support_of="rows")["models/yunet.html"])
    assert "share of what the forest's splits explain" in theirs and "errors in it, of all rows" in theirs
    assert "asked about others" not in theirs and "share of all errors" not in theirs
