"""`accord records`: what the project knows of its processing, and what only its controller can state."""

import json
import re
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import erase_cases as cases
import pytest

from accord import cli
from accord.checks.tables.findings import VideoWaterfall, Waterfall
from accord.engine import table
from accord.erase.cases import case, clock, machine
from accord.erase.cases.places import Places
from accord.erase.planning import plan
from accord.erase.processing import officer_page, record
from accord.erase.processing.record import STATED
from accord.errors import AccordError
from accord.privacy.tables import Edits
from browsers import everywhere, launched


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


def test_one_is_counted_as_one(house, capsys):
    said = [{"image": "i", "subject": "s", "attribute": "pronoun"}]
    cases.write(Path("results/intake/00/attributes.parquet"), said, [])
    for name in ("bob", "cid"):
        house.withdraw(name)
    capsys.readouterr()
    run()
    out = capsys.readouterr().out
    assert (
        "- collecting and keeping data: 1 person\n" in out
        and ": 1 row\n" in out
        and not re.search(r"\b1 (people|rows)\b", out)
    )


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


def words_of(page: str) -> str:
    body = page.partition("<main")[2].partition("</main>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


def ran() -> None:
    """The tables of a run: three of five images released, of eleven kinds of regions one each painted out; four videos,
    of which one was withheld, and two of one person wait."""
    steps = [("consent", "withdrawn", 5, 3, 2, 2), ("checks", "logo", 3, 3, 0, 2)]
    names = ["room", "check", "images_in", "images_out", "stopped", "subjects_left"]
    rows = [dict(zip(names, step, strict=True), order=n, label="x") for n, step in enumerate(steps)]
    table.write(table.rows(rows, Waterfall), Waterfall, Path("results/release/waterfall.parquet"))
    films = [("consent", "consent.minor", 4, 4, 0, 2), ("privacy", "video_review", 4, 1, 3, 1)]
    rows = [dict(zip(names, step, strict=True), order=n, label="x") for n, step in enumerate(films)]
    Path("results/privacy/videos").mkdir(parents=True)
    table.write(table.rows(rows, VideoWaterfall), VideoWaterfall, Path("results/privacy/videos/waterfall.parquet"))
    Path("results/release/release.json").write_text(json.dumps({"version": "1.0.0", "images": 3, "subjects": 2}))
    region = {"image": "i", "polygon": [], "method": "diffusion", "prompt": "", "guidance": 1.0, "seed": 1,
              "attempts": 1, "candidates": 1, "chosen": 0, "seam": 1.0, "detail": 1.0, "outline": 0.0,
              "model_sha256": "a" * 64, "painted": 9}  # fmt: skip
    edits = [region | {"region": f"r{n}", "kind": f"kind {n}"} for n in range(11)]
    Path("results/privacy/00").mkdir(parents=True)
    table.write(table.rows(edits, Edits), Edits, Path("results/privacy/00/edits.parquet"))


def granted(name: str) -> None:
    cli.main(["holders", "grant", "--vault", "vault", "--release", "1.0.0", "--name", name, "--contact", "x@y"])


def test_the_officer_s_page_tells_who_may_be_shown_what_was_painted_what_is_pending_and_who_has_copies(house):
    ran()
    granted("Institute <b>")
    assert run("--report", "officer.html") == 3
    page = Path("officer.html")
    said = words_of(page.read_text())
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert "3 images of 2 people released, of 5 images delivered." in said and "consent 2 3 2" in said
    assert "1 video painted, proven and not withheld, of 4 delivered." in said and "privacy 3 1 1" in said
    assert "collecting and keeping data 3" in said and "1 row more" in said
    assert said.count("diffusion") == officer_page.ROWS
    assert "1 erasure open, 0 overdue; 0 closed. Of the open ones, 1 withdrawal without a case yet: " in said
    assert "Institute &lt;b&gt; 1.0.0 0 0" in said
    hidden = [name(who) for who in cases.REFERENCES for name in (cases.who, cases.REFERENCES.get)]
    assert not [one for one in (*hidden, "x@y") if one in page.read_text()]
    cli.main(["erase", "status", "--config", "config.yaml"])
    run("--report", "officer.html")
    assert re.search(r"1 erasure open, 0 overdue; 0 closed\. .*received .* 30", words_of(page.read_text()))


def pending(places: Places, now: str) -> tuple[int, int]:
    """Open and overdue erasures, as the officer's page counts them."""
    said = words_of(officer_page.render(places, record.make(places, {}), now))
    counts = re.search(r"(\d+) erasures? open, (\d+) overdue", said)
    assert counts
    return int(counts[1]), int(counts[2])


@pytest.mark.parametrize("days, late", [(0, 0), (clock.DAYS - 1, 0), (clock.DAYS + 1, 2)])
def test_the_officer_s_page_and_erase_status_count_the_same(house, capsys, days, late):
    """Whether or not a case is open: the time runs from the withdrawal on."""
    house.withdraw("bob")
    later = (datetime.now(UTC) + timedelta(days=days)).isoformat(timespec="seconds")
    before = pending(house.places, later)
    machine.open_new(house.places, house.effects(now=lambda: later))
    found = [clock.status(one, later) for one in case.every(house.places.cases)]
    assert before == (len(found), sum(one.overdue for one in found)) == (2, late)
    assert pending(house.places, later) == before


def test_the_record_counts_videos(house, capsys):
    ran()
    run()
    assert "- videos: 4 delivered, 3 stopped by privacy, 1 left" in capsys.readouterr().out
    run("--json")
    assert json.loads(capsys.readouterr().out)["videos"] == {"delivered": 4, "stopped_by_privacy": 3, "left": 1}


def test_the_officer_s_page_of_an_empty_project_says_so(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("--report", "officer.html")
    said = words_of(Path("officer.html").read_text())
    for line in ("No run has made a release yet.", "Nothing was painted out.", "No recipient and no exported copy"):
        assert line in said
    assert not Path("vault").exists()


@pytest.mark.slow
def test_the_officer_s_page_prints_on_two_pages_however_much_there_is(house):
    ran()
    for number in range(officer_page.ROWS + 2):
        granted(f"Institute of Long Names and of Many Departments, number {number}")
        begun = case.begin(house.places.cases, f"{number:016x}", f"s{number}", "2026-01-01T00:00:00+00:00", cases.NOW)
        begun.note(plan.STARTED, cases.NOW)  # of nobody who withdrew: else it would count as ended
    run("--report", "officer.html")
    assert words_of(Path("officer.html").read_text()).count("more: accord") == 2
    with launched() as browser:
        page = browser.new_page()
        page.goto(Path("officer.html").absolute().as_uri())
        pages = re.findall(rb"/Count (\d+)", page.pdf(prefer_css_page_size=True))
        assert max(map(int, pages)) <= 2
        assert everywhere(page) == {}
