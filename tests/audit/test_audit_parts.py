"""The parts of an audit: consent at a time, parameters, weights, attestations, figures, the vault, the page."""

import json
import os
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import browsers
from accord.audit import command
from accord.audit.evidence import consents, coverage, lineage, parameters, weights
from accord.audit.evidence.consents import Moment, Standing
from accord.audit.records import attest, ledgers, receipts, rows_of_images, stray_files
from accord.audit.records.index import Held
from accord.audit.targets import figure, places, row, target
from accord.audit.targets.places import Places
from accord.audit.targets.target import Audit
from accord.audit.telling import page, reading, render
from accord.audit.telling.checks import FAIL, NOT_APPLICABLE, PASS, WARN, About, Check, Found, Section, ordered, verdict
from accord.consent.ledger import ledger
from accord.consent.ledger.records import COMMAND, FORM, GRANTED, WITHDRAWN, ConsentEvent, Depicts, IprForm
from accord.engine import configuration
from accord.errors import AccordError, Problem
from accord.privacy.painting import painters
from accord.release.seal import log

ROOT = Path(__file__).parents[2]
RECORD = {"step": "checks.made", "code": "c", "params": {"limit": 3}, "inputs": {}}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lineage.forget()
    return tmp_path


def of(checks):
    return {(check.name, check.verdict) for check in checks}


def test_the_worst_check_is_the_verdict():
    about = About("house")
    fine, odd, bad = about.passed("a", "x"), about.warned("b", "x"), about.failed("c", "x")
    assert verdict([fine, about.none("d", "x")]) == PASS
    assert verdict([odd, fine]) == WARN
    assert verdict([fine, bad, odd]) == FAIL
    assert [c.theme for c in ordered([fine, About("lineage").passed("z", "x"), fine])] == ["lineage", "house"]


def test_a_theme_without_a_place_in_the_order_is_refused_at_once():
    assert About("models").passed("a", "x").theme == "models"
    with pytest.raises(ValueError, match="'fashion' has no place"):
        About("fashion")


def test_problems_are_told_up_to_a_number_and_the_rest_counted():
    told = About("house").held("a", [Problem(f"p{n}", "x") for n in range(23)], "fine")
    assert len(told) == 21
    assert told[-1].what == "and 3 more problems of this kind"
    assert About("house").held("a", [], "fine") == [Check("house", "a", PASS, "fine")]


def event(subject, state, day, source=FORM, scope="*", expires=""):
    return ConsentEvent("subject", subject, "", scope, state, day, expires, source, "form", "", "")


@pytest.fixture
def vault(folder):
    """Two people in one image, each alone in another: one withdrew everything on 2 March, as is known later."""
    vault = folder / "vault"
    grants = [event(who, GRANTED, "2026-01-01") for who in ("left", "right")]
    rights = [IprForm(who, "", "2026-01-01", "", "form", "") for who in ("left", "right")]
    shown = [Depicts("both", "left", "subject_primary"), Depicts("both", "right", "subject_secondary")]
    shown += [Depicts("one", "left", "subject_primary"), Depicts("two", "right", "subject_primary")]
    with ledger.writing(vault) as opened:
        ledger.append(opened, [*grants, *rights, *shown])
    return vault


def withdraw(vault):
    with ledger.writing(vault) as opened:
        ledger.append(opened, [event("right", WITHDRAWN, "2026-03-02", COMMAND)])


def test_consent_of_everyone_in_an_image_now_and_as_it_was_known(vault):
    with consents.opened(vault) as asked:
        assert [asked.ended(image, Moment("2026-04-01")) for image in ("both", "one", "two")] == [None] * 3
        assert asked.ended("one", Moment("2025-12-31")) == Standing("no form")
        assert asked.ended("nobody", Moment("2026-04-01")) == Standing("no form")
    withdraw(vault)
    with consents.opened(vault) as asked:
        now = Moment("2026-04-01")
        assert asked.ended("both", now) == asked.ended("two", now) == Standing("withdrawn", "2026-03-02")
        assert asked.ended("one", now) is None
        told = asked.of_image("both", now)
        assert told == [
            ("subject_primary", Standing("granted")),
            ("subject_secondary", Standing("withdrawn", "2026-03-02")),
            ("copyright", Standing("granted")),
        ]
        before = Moment("2026-04-01", "2000-01-01")
        assert asked.ended("both", before) == Standing("no form")


def test_consent_that_has_a_last_day_expires(folder):
    with ledger.writing(folder / "v") as opened:
        ledger.append(opened, [event("who", GRANTED, "2026-01-01", expires="2026-06-30")])
        ledger.append(opened, [Depicts("it", "who", "subject_primary"), IprForm("who", "", "2026-01-01", "", "f", "")])
    with consents.opened(folder / "v") as asked:
        assert asked.ended("it", Moment("2026-06-30")) is None
        assert asked.ended("it", Moment("2026-07-01")) == Standing("expired", "2026-06-30")


def held(*images):
    return Held(frozenset(images), frozenset(images), 0)


def test_a_version_tells_how_many_images_are_to_erase_and_for_how_long(vault, monkeypatch):
    log.append(vault, {"kind": "release", "version": "1.0.0", "root": "0"})
    known = receipts.read(vault)
    at = Places(vault=vault, today="2026-03-20")
    told, _ = coverage.of_release(held("both", "one", "two"), "1.0.0", False, at, known)
    assert of(told) == {("when published", PASS), ("now", PASS)}
    later = datetime.now(UTC) + timedelta(days=1)
    monkeypatch.setattr(ledger, "_now", lambda opened: later.isoformat(timespec="seconds"))
    withdraw(vault)
    told, (section,) = coverage.of_release(held("both", "one", "two"), "1.0.0", False, at, known)
    assert of(told) == {("when published", PASS), ("now", WARN)}
    assert told[1].what.startswith("2 images show a person whose consent has ended (2 withdrawn, the earliest 18 ")
    assert section.rows[0][2:] == (7, 0, 0, 0)
    assert section.rows[1][2:] == (5, 2, 0, 0)
    assert of(coverage.of_release(held("two"), "1.0.0", True, at, known)[0]) >= {("now", FAIL)}
    late = at._replace(today="2026-04-20")
    assert of(coverage.of_release(held("two"), "1.0.0", False, late, known)[0]) >= {("now", FAIL)}
    assert of(coverage.of_release(held("one"), "1.0.0", True, late, known)[0]) >= {("now", PASS)}
    assert of(coverage.of_release(None, "1.0.0", True, late, known)[0]) == {("now", FAIL)}


def test_a_receipt_is_signed_over_the_head_of_the_ledger(vault):
    entry = log.append(vault, {"kind": "note"})
    assert entry["ledger"]["entries"] == 8
    assert log.append(vault, {"kind": "note"}) == entry
    kept = {name: (vault / name).read_bytes() for name in ("ledger.sqlite", "log/heads.jsonl")}
    withdraw(vault)
    log.append(vault, {"kind": "later"})
    known = receipts.read(vault)
    assert of(ledgers.checks(vault, known.entries, ())) == {("chain", PASS), ("signed heads", PASS)}
    for name, data in kept.items():
        (vault / name).write_bytes(data)
    told = ledgers.checks(vault, known.entries, ())
    assert of(told) == {("chain", PASS), ("signed heads", FAIL)}
    assert "lacks the head signed in receipt 2 (9 entries)" in told[1].what


def test_receipts_and_history_must_tell_the_same(vault):
    for version in ("1.0.0", "2.0.0"):
        log.append(vault, {"kind": "release", "version": version, "root": version * 2})
    known = receipts.read(vault)
    assert of(known.checks) == {("entries", PASS)}
    history = [{"version": "1.0.0", "root": "1.0.01.0.0"}, {"version": "2.0.0", "root": "2.0.02.0.0"}]
    assert of(receipts.against_history(known.entries, history)) == {("versions", PASS)}
    assert "in the receipt log, but not in the history" in receipts.against_history(known.entries, history[:1])[0].what
    assert "a different order" in receipts.against_history(known.entries, history[::-1])[0].what
    (vault / "keys/release.pem").unlink()
    assert of(receipts.read(vault).checks) == {("key", FAIL)}
    assert not (vault / "keys/release.pem").exists()


def test_parameters_are_held_against_the_configuration():
    config = {"checks": {"limit": 3}, "shards": 4, "vault": "elsewhere/vault"}
    more = {**RECORD, "step": "intake.shard", "params": {"shards": 4, "vault": "vault", "shard": "00"}}
    assert of(parameters.checks([RECORD, more], config)) == {("parameters", PASS)}
    assert parameters.checks([RECORD, more], config)[0].what.startswith("3 recorded")
    (told,) = parameters.checks([RECORD], {"checks": {"limit": 4}})
    assert (told.verdict, told.where) == (FAIL, "checks.made")
    assert told.what == "was made with limit = 3, but the configuration has 4"
    assert of(parameters.checks([RECORD], None)) == {("parameters", NOT_APPLICABLE)}


def test_a_shard_may_be_read_from_some_of_the_deliveries_but_from_no_other():
    record = {**RECORD, "step": "intake.shard", "params": {"deliveries": ["in/march"]}}
    assert of(parameters.checks([record], {"intake": {"deliveries": ["in/march", "in/may"]}})) == {("parameters", PASS)}
    assert of(parameters.checks([record], {"intake": {"deliveries": ["in/may"]}})) == {("parameters", FAIL)}


def test_an_empty_setting_can_mean_another():
    config = {"analyse": {"crossed": [], "attributes": ["pronoun"]}}
    assert parameters.wanted_of("analyse.extremes", "crossed", config) == (["pronoun"],)
    assert parameters.wanted_of("analyse.extremes", "crossed", {"analyse": {"crossed": ["age"]}}) == (["age"],)


def test_each_parameter_is_sought_where_its_rule_takes_it_from():
    rules = "".join(file.read_text() for file in sorted((ROOT / "workflow/rules").glob("*.smk")))
    taken = []
    for rule in re.split(r"^(?=\s*rule \w+:)", rules, flags=re.M):
        step = re.search(r'step\(\s*"(\w+\.\w+)', rule)
        params = rule.split("params:")[-1].split("shell:")[0] if "params:" in rule else ""
        taken += [(step[1], *found) for found in re.findall(r'(\w+)=(?:lookup|as_json)\("([^"]+)"', params)]
    assert len(taken) > 30
    for step, name, path in taken:
        config = "wanted"
        for key in reversed(path.split("/")):
            config = {key: config}
        found = parameters.wanted_of(step, name, config)
        assert found == (["wanted"] if name in parameters.BY_NAME else "wanted",), (step, name, path)


def test_settings_that_are_given_as_one_are_each_held_against_the_configuration():
    record = {**RECORD, "step": "checks.look", "params": {"settings": {"text_side": 448, "max_nudity": 0.5}}}
    config = {"checks": {"text_side": 448, "max_nudity": 0.5}}
    assert of(parameters.checks([record], config)) == {("parameters", PASS)}
    config["checks"]["max_nudity"] = 0.4
    (check,) = parameters.checks([record], config)
    assert "max_nudity = 0.5, but the configuration has 0.4" in check.what


def test_configurations_lie_over_one_another(folder):
    Path("a.yaml").write_text("checks: {limit: 3, other: 1}\nvault: v\n")
    Path("b.yaml").write_text("checks: {limit: 4}\npathvars: {results: out}\n")
    config = configuration.said([Path("a.yaml"), Path("b.yaml")])
    assert config["checks"] == {"limit": 4, "other": 1}
    found = places.of(config, {"releases": Path("r")})
    assert found == {"results": Path("out"), "releases": Path("r"), "vault": Path("v")}
    Path("c.yaml").write_text("[")
    with pytest.raises(AccordError, match=r"c.yaml, line 2: is not a valid configuration"):
        configuration.read([Path("c.yaml")])


def test_weights_are_held_against_models_yaml_and_the_files(folder):
    Path("weights").mkdir()
    Path("weights/net.bin").write_bytes(b"net")
    digest = reading.sha256(Path("weights/net.bin"))
    entry = {"net": {"path": "net.bin", "sha256": digest}}
    Path("config").mkdir()
    Path("config/models.yaml").write_text(json.dumps({"m": {"weights": entry}}))
    told = [{**RECORD, "step": "evaluate.detect", "params": {"model": {"name": "m", "weights": entry}}}]
    assert of(weights.checks(told, None)) == {("files", PASS)}
    Path("config/mine.yaml").write_text(json.dumps({"own": {"weights": {}}}))
    split = {"evaluate": {"models": ["config/mine.yaml", "config/models.yaml"]}}
    assert of(weights.checks(told, split)) == {("files", PASS)}
    numbers = {"evaluate": {"models": 5, "lock": 5, "weights": 5}}
    assert "recorded" in {name for name, _ in of(weights.checks(told, numbers))}
    with pytest.raises(AccordError, match="evaluate: is not a valid section"):
        weights.checks(told, {"evaluate": 7})
    several = [{**RECORD, "step": "checks.look", "params": {"models": {"face": told[0]["params"]["model"]}}}]
    assert of(weights.checks(several, None)) == {("files", PASS)}
    shown = {**RECORD, "step": "report.index", "params": {"models": {"m": {"weights": {"net": "elsewhere"}}}}}
    assert of(weights.checks([*several, shown], None)) == {("files", PASS)}
    unstated = {"m": {"weights": {"net": {**entry["net"], "sha256": None}}}, "elsewhere": {"outputs": {}}}
    Path("config/models.yaml").write_text(json.dumps(unstated))
    assert of(weights.checks(told, None)) == {("recorded", FAIL)}
    locked = {"m": {"net": {"sha256": digest, "bytes": 3, "source": "net.bin"}}}
    Path("config/weights.lock.yaml").write_text(json.dumps(locked))
    assert of(weights.checks(told, None)) == {("files", PASS)}
    Path("weights/net.bin").write_bytes(b"other")
    assert of(weights.checks(told, None)) == {("files", FAIL)}
    Path("weights/net.bin").unlink()
    assert of(weights.checks(told, None)) == {("files", WARN)}
    other = {"net": {"path": "net.bin", "sha256": "0" * 64}}
    both = [*told, {**told[0], "params": {"model": {"name": "m", "weights": other}}}]
    assert "recorded differently" in weights.checks(both, None)[0].what
    assert "weights other than those in models.yaml" in weights.checks(both[1:], None)[0].what


def test_edits_name_a_model_that_the_steps_tell_of(folder):
    files = {"net": {"path": "net.pt", "sha256": "1" * 64}}
    Path("mine").mkdir()
    Path("mine/model_index.json").write_text("{}")
    told = [
        {**RECORD, "step": "privacy.paint", "params": {"model": "net@1", "entry": {"name": "net", "weights": files}}},
        {**RECORD, "step": "privacy.paint", "params": {"model": "mine", "entry": None}},
    ]
    painted = {painters.EMBEDDED_SHA256, painters.stated(files), painters.digest(Path("mine"))}
    assert of(weights.edits(painted, told)) == {("edits", PASS)}
    assert of(weights.edits({"2" * 64}, told)) == {("edits", FAIL)}
    assert of(weights.edits(painted, told[:1])) == {("edits", FAIL)}


def test_the_model_that_paints_is_the_configured_one_whatever_its_sums():
    params = {"model": "net@0123456789ab", "weights": "weights", "entry": None}
    told = [{**RECORD, "step": "privacy.paint", "params": params}]
    config = {"privacy": {"model": "net"}, "evaluate": {"weights": "weights"}}
    assert of(parameters.checks(told, config)) == {("parameters", PASS)}
    config["privacy"]["model"] = "other"
    assert of(parameters.checks(told, config)) == {("parameters", FAIL)}


def test_an_attestation_pins_all_outputs(vault):
    results = Path("results/checks")
    results.mkdir(parents=True)
    (results / "a.json").write_text("{}")
    (results / "b.json").write_text("{}")
    where = Places()
    assert of(attest.checks(where, receipts.read(vault))) == {("attested", NOT_APPLICABLE)}
    attest.attest(where)
    assert of(attest.checks(where, receipts.read(vault))) == {("attested", PASS)}
    (results / "a.json").write_text("[]")
    (results / "b.json").rename(results / "c.json")
    told = attest.checks(where, receipts.read(vault))
    assert [(check.where, check.what) for check in told] == [
        ("results/checks/b.json", "was attested, and is missing"),
        ("results/checks/c.json", "was not attested"),
        ("results/checks/a.json", "differs from what was attested"),
    ]
    listed = next((vault / "attestations").iterdir())
    listed.write_bytes(listed.read_bytes().replace(b"a.json", b"x.json"))
    assert "differs from the signed one" in attest.checks(where, receipts.read(vault))[0].what
    log.append(vault, {"kind": "release", "version": "1.0.0", "root": "0"})


def test_results_of_two_configurations_are_attested_together(vault):
    """The run of the one ends with an attestation of its own results, which lie in a folder of the other's."""
    whole, nested = Places(), Places(results=Path("results/other"))

    def made(path, text="{}"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run(places):
        known = receipts.read(vault)
        if attest.is_due(places, known):
            attest.attest(places, known)

    def found(places):
        return [(check.verdict, check.where) for check in attest.checks(places, receipts.read(vault))]

    made(whole.results / "checks/a.json")
    attest.attest(whole)
    made(nested.results / "checks/a.json")
    assert found(whole) == [(FAIL, "results/other/checks/a.json")]
    run(nested)
    assert found(whole) == found(nested) == [(PASS, "")]
    made(whole.results / "checks/a.json", "[]")
    assert found(whole) == [(FAIL, "results/checks/a.json")] and found(nested) == [(PASS, "")]
    made(nested.results / "checks/b.json")
    run(nested)
    assert found(whole) == [(FAIL, "results/checks/a.json")] and found(nested) == [(PASS, "")]
    (nested.results / "checks/a.json").unlink()
    assert found(nested) == [(FAIL, "results/other/checks/a.json")]
    log.append(vault, {"kind": "release", "version": "1.0.0", "root": "0"})
    assert not attest.is_due(nested, receipts.read(vault)) and attest.is_due(whole, receipts.read(vault))


def test_an_attestation_from_before_the_last_version_is_outdated(vault):
    attest.attest(Places())
    log.append(vault, {"kind": "release", "version": "1.0.0", "root": "0"})
    assert of(attest.checks(Places(), receipts.read(vault))) == {("attested", WARN)}


def test_the_house_is_searched(vault):
    results = Path("results/checks")
    results.mkdir(parents=True)
    Path("results/README.md").write_text("about")
    Path("releases/1.0.0").mkdir(parents=True)
    assert {c.verdict for c in stray_files.checks(Places(), ["1.0.0"])} == {PASS}
    (results / "x.parquet.partial").touch()
    (results / "x.exe").touch()
    (results / "x.json").symlink_to("/dev/null")
    Path("releases/9.0.0").mkdir()
    (vault / "ledger.sqlite").chmod(0o640)
    told = [check for check in stray_files.checks(Places(), ["1.0.0"]) if check.verdict == FAIL]
    assert [(check.where, check.what) for check in told] == [
        ("vault/ledger.sqlite", "can be read or written by others (mode 640)"),
        ("results/checks/x.parquet.partial", "is unfinished"),
        ("results/checks/x.exe", "is not an output of any step"),
        ("results/checks/x.json", "is a link"),
        ("releases/9.0.0", "is not a published version"),
    ]


def test_figures_of_a_page_are_told_apart():
    text = '<div id="table-a"><p>one<br></p></div><figure id="figure-b"><td>2</td></figure><p id="c">x</p>'
    assert figure.figures(text) == {"table-a": "<div id=table-a><p>one<br>", "figure-b": "<figure id=figure-b><td>2"}
    for edited in (text.replace("2", "3"), text.replace("<td>", '<td class="h3">')):
        assert figure.figures(edited)["figure-b"] != figure.figures(text)["figure-b"]


def test_a_file_is_read_again_when_it_changed(folder):
    path = Path("a.json")
    path.write_text("{}")
    first = reading.sha256(path)
    path.write_text("[ ]")
    assert reading.sha256(path) != first
    os.utime(path, ns=(1, 1))
    assert reading.record(path) is None
    path.write_text(json.dumps({"provenance": {**RECORD, "inputs": ["a"]}}))
    assert reading.record(path) is None
    path.write_text(json.dumps({"provenance": RECORD}))
    assert reading.record(path) == RECORD


def test_the_page_and_the_text_escape_what_they_show():
    bad = "<script>alert(1)</script>\x1b[31m"
    checks = [About("house").failed("name", bad, bad, bad), About("code").passed("fine", "it is")]
    audit = Audit(bad, None, Found(checks, [Section(bad, (bad,), [(bad,)])]))
    made = page.render(audit)
    assert "<script>" not in made
    assert made.index('class="verdict fail"') < made.index("<main>")
    assert made == page.render(audit)
    assert "\x1b" not in render.text(audit)
    assert json.loads(json.dumps(render.document(audit)))["verdict"] == "fail"


@pytest.mark.slow
def test_everyone_can_read_the_page_on_any_screen():
    long = "results/" + "W" * 200
    checks = [About("house").failed("name", "what", long, "hint"), About("code").passed("fine", "it is")]
    wide = Section("Rows", tuple(f"column {n}" for n in range(20)), [("W" * 60,) * 20])
    assert browsers.whole(page.render(Audit(long, None, Found(checks, [wide])))) == {}


def kept(path, rows, inputs=()):
    """A table with a provenance record, made from other files."""
    path.parent.mkdir(parents=True, exist_ok=True)
    record = {**RECORD, "inputs": {str(one): reading.sha256(one) for one in inputs}}
    footer = {b"provenance": json.dumps(record).encode()}
    pq.write_table(pa.Table.from_pylist(rows).replace_schema_metadata(footer), path)
    return path


def test_a_row_is_followed_to_its_delivery_and_names_nobody(vault):
    withdraw(vault)
    taken = {"image": "both", "subject": "left", "delivery": "2026-03", "sha256": "a" * 64, "size": 9}
    intake = kept(Path("results/intake/00/images.parquet"), [taken, {**taken, "image": "one"}])
    scores = kept(Path("results/analyse/scores.parquet"), [{"image": "both", "subject": "left", "v": 0.5}], [intake])
    groups = kept(Path("results/analyse/groups.parquet"), [{"group": "a", "images": 2}], [scores])
    root, found = row.audit(scores, {"image": "both"}, Places(today="2026-04-01"))
    text = render.text(Audit("x", root, found))
    assert "delivered in 2026-03 as a file of 9 bytes" in text
    assert "person 1 (primary)  granted" in text
    assert "person 2 (secondary)  withdrawn, 2026-03-02" in text
    assert "both  (withheld)  0.5" in text
    assert not re.search(r"\b(left|right)\b", text)
    assert {check.name for check in found.checks if check.verdict == FAIL} == {"now"}
    with pytest.raises(AccordError, match="has no row with these values"):
        row.audit(scores, {"image": "none"}, Places())
    _, found = row.audit(groups, {"group": "a"}, Places(today="2026-04-01"))
    assert "1 row(s), of 0 image(s)" in next(c.what for c in found.checks if c.name == "row")


def test_a_row_of_an_aggregate_is_followed_to_the_images_that_it_counts(vault):
    members = [{"image": image, "subject": "s", "group": g} for image, g in (("one", "a"), ("two", "a"), ("both", "b"))]
    scores = [{"image": image, "subject": "s", "model": "m"} for image in ("one", "both")]
    made = [kept(Path("results/members.parquet"), members), kept(Path("results/scores.parquet"), scores)]
    groups = kept(Path("results/groups.parquet"), [{"model": "m", "group": "a", "images": 1}], made)
    assert rows_of_images.rest(lineage.trace(groups)) == rows_of_images.Rest(
        ["results/members.parquet", "results/scores.parquet"], 3, 1
    )
    _, found = row.audit(groups, {"group": "a"}, Places(today="2026-04-01"))
    assert ("counted", PASS) in of(found.checks)
    wrong = kept(Path("results/groups.parquet"), [{"model": "m", "group": "a", "images": 2}], made)
    lineage.forget()
    _, found = row.audit(wrong, {"group": "a"}, Places(today="2026-04-01"))
    assert ("counted", WARN) in of(found.checks)


def test_an_evaluation_of_an_archive_needs_no_vault():
    Path("results/analyse").mkdir(parents=True)
    Path("results/analyse/a.json").write_text(json.dumps({"provenance": {**RECORD, "step": "analyse.made"}}))
    assert target.audit(None, Places()).verdict == WARN  # the step is not one of Accord's; a vault isn't missed
    Path("results/consent/00").mkdir(parents=True)
    assert {c.name for c in target.audit(None, Places()).checks if c.verdict == FAIL} >= {"key", "permissions"}


def test_an_audit_of_everything_says_how_far_it_is_and_each_failure_at_once(capsys):
    Path("results/analyse").mkdir(parents=True)
    Path("results/analyse/a.json").write_text(json.dumps({"provenance": {**RECORD, "step": "checks.made"}}))
    lines = []
    audit = target.audit(None, Places(), tell=lines.append)
    assert lines[0] == "reading 1 output" and lines[2] == "verifying 0 versions"
    steps = [line for line in lines if " of 18: " in line]
    assert [line.split(" of ")[0] for line in steps] == [str(number) for number in range(1, 19)]
    [failed] = [line for line in lines if line.startswith("FAIL: results: ")]
    assert "results/analyse/a.json names checks.made as its step" in failed
    assert lines.index(failed) == lines.index("1 of 18: results") + 1
    text = render.text(audit).splitlines()
    assert text[1].startswith("verdict: FAIL - at least one check failed") and text[-1] == text[1]


def test_where_there_is_nothing_to_audit_it_says_so_and_passes_nothing():
    places = Places(results=Path("mine"))
    told = r"mine, releases, vault: nothing to audit.*\n    hint: change to the project"
    with pytest.raises(AccordError, match=told):
        target.audit(None, places)
    for folder in ("mine/analyse", "vault/erasures", "releases"):
        Path(folder).mkdir(parents=True)
    Path("mine/README.md").write_text("of the checkout")
    with pytest.raises(AccordError, match="nothing to audit"):
        target.audit(None, places)
    Path("vault/erasures/lock").touch()
    assert target.audit(None, places).verdict


def test_only_a_release_is_a_folder_to_audit():
    Path("results").mkdir()
    with pytest.raises(AccordError, match="results: is not a release\n    hint: give a file, a release's folder"):
        target.audit(Path("results"), Places())


def test_the_command_refuses_what_makes_no_sense(capsys):
    Path("a.json").write_text(json.dumps({"provenance": RECORD}))
    assert command.main(["a.json"]) == 0
    assert "lineage\n  ok      a.json  <- checks.made [c]" in capsys.readouterr().out
    with pytest.raises(AccordError, match="can't be combined with a target"):
        command.main(["a.json", "--all"])
    with pytest.raises(AccordError, match="require a target"):
        command.main(["--figure", "x"])
    with pytest.raises(AccordError, match="lacks a column given with --row"):
        command.main(["a.json", "--row", "image=x"])
    with pytest.raises(AccordError, match="the signing key is missing"):
        command.main(["--attest"])
    with pytest.raises(SystemExit):
        command.main(["a.json", "--row", "image"])
    assert "must be COLUMN=VALUE, not 'image'" in capsys.readouterr().err
