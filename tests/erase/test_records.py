"""`accord records`: what the project knows of its processing, and what only its controller can state."""

import json
from pathlib import Path

import erase_cases as cases
import pytest

from accord import cli
from accord.erase.processing.record import STATED
from accord.errors import AccordError


def run(*words: str) -> int:
    Path("config.yaml").write_text("vault: vault\n")
    return cli.main(["records", "--config", "config.yaml", *words])


def test_it_tells_what_is_known_and_what_is_missing(house, capsys):
    said = [{"image": "i", "subject": "s", "attribute": name} for name in ("pronoun", "ancestry")]
    cases.write(Path("results/intake/00/attributes.parquet"), said, [])
    cli.main(["holders", "grant", "--vault", "vault", "--release", "1.0.0", "--name", "Institute", "--contact", "x@y"])
    capsys.readouterr()
    assert run("--json") == 3
    told = json.loads(capsys.readouterr().out)
    assert told["missing"] == list(STATED)
    assert told["data_subjects"] == {"subject_primary": 4, "depicted": 4}
    assert told["consented_to"] == {"collect": 3}  # of four people, ann has withdrawn
    assert (told["attributes"], told["possibly_special"]) == (["ancestry", "pronoun"], ["ancestry"])
    assert told["recipients"] == [{"name": "Institute", "versions": ["1.0.0"]}]
    assert (told["versions"], told["erasure_days"]) == (["1.0.0"], 30)


def test_it_names_no_person_and_no_contact(house, capsys):
    cli.main(["holders", "grant", "--vault", "vault", "--release", "1.0.0", "--name", "Institute", "--contact", "x@y"])
    capsys.readouterr()
    run()
    out = capsys.readouterr().out
    hidden = [name(who) for who in cases.REFERENCES for name in (cases.who, cases.REFERENCES.get)]
    assert not [one for one in (*hidden, "x@y") if one in out]
    assert "Institute: 1.0.0" in out and out.count("**not stated**") == len(STATED)


def test_statements_stand_where_article_30_asks_for_them(house, capsys):
    Path("stated.yaml").write_text("".join(f"{name}: Stated of {name}.\n" for name in STATED))
    assert run("--stated", "stated.yaml") == 0
    out = capsys.readouterr().out
    assert "not stated" not in out and "All is stated." in out
    for name, asked in STATED.items():
        assert f"## {asked}\n\nStated of {name}." in out


def test_all_bad_statements_are_told(house):
    Path("stated.yaml").write_text("controler: A\npurposes: [a]\n")
    with pytest.raises(AccordError) as caught:
        run("--stated", "stated.yaml")
    assert "controler: is unknown" in str(caught.value) and "purposes: is not a text" in str(caught.value)
    Path("stated.yaml").write_text("- a\n")
    with pytest.raises(AccordError, match="is not a map of statements"):
        run("--stated", "stated.yaml")


def test_an_empty_project_has_an_empty_record(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run() == 3
    assert "none recorded" in capsys.readouterr().out
    assert not Path("vault").exists()
