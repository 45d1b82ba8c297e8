"""Model cards are Markdown that a parser reads as it is meant: tables are tables, each answer is a paragraph."""

import json

import pytest
from markdown_it import MarkdownIt

from accord.engine import file_outputs
from accord.report import index
from accord.report.drawing import card

PARSER = MarkdownIt("commonmark").enable("table")


def kinds(text):
    """What the top level of a Markdown text is made of: (kind, text) of each block."""
    found, level = [], 0
    for token in PARSER.parse(text):
        if token.nesting == 1 and level == 0:
            found.append([token.type.removesuffix("_open"), ""])
        level += token.nesting
        if token.type == "inline" and found:
            found[-1][1] += token.content + "\n"
    return [(kind, text.strip()) for kind, text in found]


@pytest.mark.parametrize("name", ["yunet", "sface"])
def test_each_answer_is_a_paragraph_and_the_table_is_a_table(made, name):
    blocks = kinds(made[f"cards/{name}.md"])
    paragraphs = [text for kind, text in blocks if kind == "paragraph"]
    for question in ("How well?", "For whom worst?", "How sure is that?", "Why, probably?"):
        assert sum(text.startswith(f"**{question}**") for text in paragraphs) == 1
    assert all(text.count("?**") <= 1 for text in paragraphs)
    assert [kind for kind, _ in blocks].count("table") == 1
    assert not any("|" in text for text in paragraphs)


def test_a_card_of_a_model_without_scores_has_no_empty_table(tables):
    nothing = {"mean": None, "median": None, "low": None, "high": None, "note": "no score"}
    made = index.run(**{**tables, "groups": tables["groups"].assign(**nothing)})
    blocks = kinds(made["cards/yunet.md"])
    assert "table" not in [kind for kind, _ in blocks]
    assert ("paragraph", "No group has a figure.") in blocks


def test_claims_are_a_list_and_the_caution_stands_alone(made):
    blocks = kinds(made["cards/yunet.md"])
    assert [kind for kind, _ in blocks].count("bullet_list") == 1
    assert [text for kind, text in blocks if kind == "paragraph" and text.startswith("**Read this first.**")] == [
        r"**Read this first.** Rendered \<people\>."
    ]


def test_without_a_claim_the_card_says_what_was_not_compared(unbiased):
    text = index.run(**unbiased)["cards/yunet.md"]
    assert r"Not compared: Polynesia \(ancestry, 20 people\)" in text
    assert "bullet_list" not in [kind for kind, _ in kinds(text)]


def test_the_provenance_lies_beside_the_cards(made):
    record = {"step": "report.index", "code": "c", "params": {}, "inputs": {"a.parquet": "ab" * 32}}
    files = file_outputs.documents({name: data for name, data in made.items() if name.startswith("cards/")}, record)
    assert b"provenance {" not in files["cards/yunet.md"]
    assert b"manifest sha256 `abab" in files["cards/yunet.md"]
    whole = json.loads(files[f"cards/{card.PROVENANCE}"])["provenance"]
    assert whole["inputs"] == record["inputs"] and "cards/yunet.md" in whole["outputs"]
