"""`accord erase` as people run it: the clock, the exit codes, what is printed, and what is wrong with the input."""

import json
import sqlite3
import threading
from pathlib import Path

import pytest
import yaml
from erase_cases import REFERENCES, who

from accord import cli
from accord.consent.requests import unmatched
from accord.engine import resources
from accord.erase import command
from accord.erase.cases import case as cases
from accord.erase.cases import clock, flags, places
from accord.erase.executing import rebuild
from accord.erase.executing.effects import Effects
from accord.errors import AccordError
from accord.evaluate.asking import answer_vault
from accord.evaluate.asking.answer_vault import Call, Limits
from accord.models.protocols import Answer, PaidAnswer
from accord.sealing import signing


@pytest.fixture
def erase(house, monkeypatch, capsys):
    """Run `accord erase`; returns the exit code and what was printed. Its clock can be set: `erase.now`."""
    Path("config").mkdir()
    said = {"intake": {"deliveries": ["delivery"]}, "consent": {"inbox": "inbox"}}
    Path("config/config.yaml").write_text(yaml.safe_dump(said))

    def run(*words: str) -> tuple[int, str]:
        effects = house.effects(**({"now": lambda: run.now} if run.now else {"now": Effects().now}))
        monkeypatch.setattr(command, "Effects", lambda: effects)
        code = cli.main(["erase", *words])
        return code, capsys.readouterr().out

    run.now = ""
    return run


def test_a_case_is_due_thirty_days_after_the_withdrawal_was_recorded():
    assert clock.due("2026-01-31T23:30:00+00:00") == "2026-03-02T23:30:00+00:00"  # 28 days of February, 2 of March
    assert clock.due("2028-02-01T00:00:00+00:00") == "2028-03-02T00:00:00+00:00"  # a leap year


def test_status_counts_the_days_and_tells_what_is_overdue(erase, house):
    code, printed = erase("status", "--json")
    (told,) = json.loads(printed)
    assert (code, told["stage"], told["left"], told["overdue"]) == (0, "received", 30, False)
    erase.now = told["due"]
    assert erase("status")[0] == 0
    erase.now = "2030-01-01T00:00:00+00:00"
    code, printed = erase("status")
    assert code == 1
    assert "OVERDUE" in printed
    assert "1 open, 1 overdue" in printed
    assert [word for word in (who("ann"), REFERENCES["ann"], "acme") if word in printed] == []
    assert erase("run", "--rebuild-command", "cp -a after/. .")[0] == 0
    code, printed = erase("status")
    assert code == 0
    assert "0 open, 0 overdue" in printed


def test_a_withdrawal_for_nobody_is_no_case_and_is_told_until_it_is_settled(erase, house):
    said = ["consent", "withdraw", "--vault", "vault", "--vendor", "acme", "--subject", REFERENCES["bob"].lower()]
    assert cli.main([*said, "--on", "2026-11-03"]) == 3
    code, printed = erase("status")
    assert code == 0
    assert "1 open request(s) that match nobody, or no image, in any delivery" in printed
    assert "1 open, 0 overdue" in printed  # ann's case alone
    assert [word for word in (who("bob"), REFERENCES["bob"].lower(), "acme") if word in printed] == []
    assert len(json.loads(erase("status", "--json")[1])) == 1
    [waiting] = unmatched.of_vault(Path("vault"))
    erase.now = "2099-01-01T00:00:00+00:00"
    erase("run", "--rebuild-command", "cp -a after/. .")
    assert erase("status")[0] == 1  # the time for it is over, though the case is closed
    assert cli.main(["consent", "settle", "--vault", "vault", "--event", str(waiting.entry), "--as", "mistyped"]) == 0
    code, printed = erase("status")
    assert (code, "open request" in printed) == (0, False)


def test_a_case_that_was_opened_for_nobody_is_closed_and_its_wish_stays(erase, house):
    said = ["consent", "withdraw", "--vault", "vault", "--vendor", "acme", "--subject", "nobody"]
    cli.main([*said, "--on", "2026-11-03"])
    [waiting] = unmatched.of_vault(Path("vault"))
    cases.begin(house.places.cases, "old", waiting.event.subject, waiting.recorded_at, waiting.recorded_at)
    erase("status")
    [old] = cases.named(house.places.cases, "old")
    assert [line["step"] for line in old.journal()] == ["received", "nobody known", "closed"]
    assert unmatched.of_vault(Path("vault")) == [waiting]


def test_run_prints_where_each_case_stands(erase):
    code, printed = erase("run", "--no-rebuild")
    assert code == 1
    assert "stopped after executed" in printed
    code, printed = erase("plan", "--json")
    assert [found["stage"] for found in json.loads(printed)] == ["executed"]
    code, printed = erase("run", "--rebuild-command", "cp -a after/. .")
    assert code == 0
    assert printed.endswith(": closed\n")
    assert "its plan was destroyed" in erase("plan")[1]


def test_a_receipt_is_written_and_checked(erase, house):
    (case,) = json.loads(erase("status", "--json")[1])
    with pytest.raises(AccordError, match="has no receipt yet"):
        erase("receipt", "--case", case["case"], "--out", "r.json")
    erase("run", "--rebuild-command", "cp -a after/. .")
    code, printed = erase("receipt", "--case", case["case"], "--out", "r.json")
    assert (code, "release 1.0.0: 6 leaves erased" in printed) == (0, True)
    Path("key.pem").write_bytes(Path("releases/2.0.0/release.pub").read_bytes())
    for key in (["--key", "key.pem"], []):
        code, printed = erase("receipt", "--verify", "r.json", *key)
        assert (code, "the receipt is authentic" in printed) == (0, True)
    code, printed = erase("receipt", "--verify", "r.json", "--json")
    assert (code, json.loads(printed)["case"]) == (0, case["case"])
    Path("vault").rename("moved")
    with pytest.raises(AccordError, match="is required, since there is no vault here"):
        erase("receipt", "--verify", "r.json")
    Path("other.pem").write_bytes(signing.public_text(signing.signing_key(Path("another")).public_key()))
    with pytest.raises(AccordError, match="was not signed with this key, or was changed since"):
        erase("receipt", "--verify", "r.json", "--key", "other.pem")


@pytest.mark.parametrize("words, told", [
    (["plan", "--case", "nobody"], "case nobody: is not in the vault"),
    (["run", "--also", "no-such-folder"], "--also: folder 1 does not exist"),
    (["run", "--judged", "2"], "--judged: applies to one case"),
    (["receipt"], "needs --case and --out, or --verify"),
    (["receipt", "--verify", "no-such-file"], "--verify: can't be read"),
    (["status", "--config", "no-such-file.yaml"], "no-such-file.yaml: is not a valid configuration"),
])  # fmt: skip
def test_bad_input_is_told(erase, words, told):
    with pytest.raises(AccordError, match=told):
        erase(*words)


def test_a_delivery_that_cannot_be_read_stops_the_plan(erase, house):
    Path("delivery/delivery.yaml").unlink()
    with pytest.raises(AccordError, match="a delivery is a folder with"):
        erase("plan")
    assert [case.stage for case in cases.every(house.places.cases)] == ["received"]


def test_without_a_vault_nobody_waits(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["erase", "status"]) == 0
    assert capsys.readouterr().out.startswith("no cases: everyone")
    Path("inbox").mkdir()
    Path("config.yaml").write_text("consent: {inbox: inbox}\n")
    assert [cli.main(["erase", do, "--config", "config.yaml"]) for do in ("status", "plan", "run")] == [0, 0, 0]
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["config.yaml", "inbox"]  # nothing was made


def test_places_are_those_of_the_configuration(tmp_path):
    one, two = tmp_path / "one.yaml", tmp_path / "two.yaml"
    one.write_text("vault: v\nintake: {deliveries: [a], max_pixels: 3}\npathvars: {results: r, logs: l}\n")
    two.write_text("intake: {deliveries: [b, c]}\nconsent: {inbox: i, proof_required: true}\n")
    found = places.read([one, two])
    assert (found.vault, found.results, found.logs, found.releases) == (
        Path("v"),
        Path("r"),
        Path("l"),
        Path("releases"),
    )
    assert (found.deliveries, found.inbox, found.proof_required) == ((Path("b"), Path("c")), Path("i"), True)


def test_the_rebuild_runs_what_make_run_runs(house):
    words = rebuild.command(places.Places(configs=(Path("config/config.yaml"), Path("config/my.yaml"))), None)
    assert Path(words[0]).name == "snakemake"
    assert words[1] == "--profile" and Path(words[2]) == resources.shipped("workflow/profiles/default")
    assert words[-3:] == ["--configfile", "config/config.yaml", "config/my.yaml"]
    assert rebuild.command(house.places, "make run CONFIG='my config.yaml'") == ["make", "run", "CONFIG=my config.yaml"]


def test_paid_answers_about_images_of_an_archive_are_erased(erase, house):
    model = {"name": "m", "adapter": "a:B", "options": {}}
    with answer_vault.opened(Path("vault"), model) as kept:
        kept.reserve(3, 0.0, Limits())
        for image, question in (("sa_1.jpg", "a?"), ("sa_1.jpg", "b?"), ("sa_2.jpg", "a?")):
            kept.keep(Call(image, "0" * 64, question), PaidAnswer(Answer("thief"), "1"))
    assert erase("answers", "sa_1.jpg", "sa_1.jpg") == (0, "2 paid answers about 1 image erased\n")
    assert b"sa_1.jpg" not in Path("vault/answers.sqlite").read_bytes()
    with answer_vault.opened(Path("vault"), model) as kept:
        assert kept.known(Call("sa_2.jpg", "0" * 64, "a?")) == Answer("thief")


def test_images_without_a_paid_answer_are_named(erase, house, capsys):
    with answer_vault.opened(Path("vault"), {"name": "m", "adapter": "a:B", "options": {}}) as kept:
        kept.reserve(1, 0.0, Limits())
        kept.keep(Call("sa_1.jpg", "0" * 64, "a?"), PaidAnswer(Answer("thief"), "1"))
    code = cli.main(["erase", "answers", "sa_1.jpg", "sa_9.jpg"])
    printed = capsys.readouterr()
    assert (code, printed.out) == (1, "1 paid answer about 1 image erased\n")
    assert printed.err == "image sa_9.jpg: no paid answer is about it; check its id\n"


@pytest.mark.parametrize(
    ("given", "read"),
    [
        (["answers", "--config", "a.yaml", "sa_1.jpg", "sa_2.jpg"], (["a.yaml"], ["sa_1.jpg", "sa_2.jpg"])),
        (["answers", "--config", "a.yaml", "b.yml", "sa_1.jpg"], (["a.yaml", "b.yml"], ["sa_1.jpg"])),
        (["answers", "sa_1.jpg", "--config", "a.yaml", "b.yaml"], (["a.yaml", "b.yaml"], ["sa_1.jpg"])),
        (["answers", "--config", "settings", "sa_1.jpg"], (["settings"], ["sa_1.jpg"])),
    ],
)
def test_an_image_after_settings_is_no_file_of_settings(given, read):
    read_as = command.parser().parse_args(flags.named_first(given))
    assert ([path.as_posix() for path in read_as.config], read_as.images) == read


def test_people_after_settings_are_none_either():
    given = ["archive", "--config", "a.yaml", "b.yaml", "0007", "--also", "kept", "--plan"]
    read_as = command.parser().parse_args(flags.named_first(given))
    assert (len(read_as.config), read_as.subjects, read_as.also, read_as.plan) == (2, ["0007"], [Path("kept")], True)


def test_without_a_vault_of_answers_nothing_is_called_erased(erase, house, capsys):
    with pytest.raises(AccordError, match=r"answers\.sqlite: is not in the vault"):
        cli.main(["erase", "answers", "sa_1.jpg"])
    assert "erased" not in capsys.readouterr().out
    assert not Path("vault/answers.sqlite").exists()


def test_who_waits_for_a_vault_that_another_writes_is_told(erase, house, capsys):
    with answer_vault.opened(Path("vault"), {"name": "m", "adapter": "a:B", "options": {}}) as kept:
        kept.reserve(1, 0.0, Limits())
        kept.keep(Call("sa_1.jpg", "0" * 64, "a?"), PaidAnswer(Answer("thief"), "1"))
    other = sqlite3.connect("vault/answers.sqlite", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    threading.Timer(0.5, lambda: other.execute("ROLLBACK")).start()
    assert cli.main(["erase", "answers", "sa_1.jpg"]) == 0
    assert "waiting for it" in capsys.readouterr().err
    other.close()
