"""`accord review`: accounts, queues and exports as people meet them; passwords are never on the command line."""

import json
import sys
from pathlib import Path

import page_cases
import pytest
from review_cases import PASSWORD, items, some

from accord import cli
from accord.engine import table
from accord.errors import AccordError
from accord.review.asking import asked
from accord.review.database import accounts, store, work
from accord.review.page import server
from accord.review.tables import Items


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project whose results ask about three logos and an inpainting."""
    monkeypatch.chdir(tmp_path)
    page_cases.results(Path("results"))
    Path("results/checks").mkdir(exist_ok=True)
    table.write(some(3), Items, Path("results/checks/items.parquet"))
    table.write(items({"item": "p00", "image": "img00", "queue": "inpainting"}), Items,
                Path("results/privacy/00/items.parquet"))  # fmt: skip
    Path("secret").write_text(f"{PASSWORD}\nnot this line\n")
    return tmp_path


def review(capsys, *words):
    cli.main(["review", *map(str, words)])
    return capsys.readouterr().out


def test_from_accounts_to_decisions(project, capsys):
    assert "no review items" in review(capsys, "status")
    for name, role in (("ada", "reviewer"), ("bob", "reviewer"), ("dan", "adjudicator")):
        told = review(capsys, "add", "--name", name, "--role", role, "--password-file", "secret")
        assert told == f"created an account with the role {role}\n"
    told = review(capsys, "assign", "--queue", "logos", "--reviewer", "ada", "bob", "--votes", 2)
    assert told == "4 review item(s), 4 of them new\n6 more vote(s) requested in logos\n"
    with store.opened(Path("vault")) as db:
        for name in ("ada", "bob"):
            work.vote(db, name, "i00", "uphold")
            work.vote(db, name, "i01", "uphold" if name == "ada" else "drop")
    told = review(capsys, "status")
    assert "logos                3         3         2         1         1  50.0% of 2 items, alpha " in told
    assert "inpainting           1         0         0         0         0  - (no item has two votes)" in told
    assert "ada (reviewer): 1 to decide, 2 decided" in told
    told = json.loads(review(capsys, "status", "--json"))
    assert [queue["queue"] for queue in told["queues"]] == ["logos", "inpainting"]
    assert review(capsys, "verify", "--head", told["head"]).startswith("7 entries, none changed; head ")
    assert PASSWORD.encode() not in store.path(Path("vault")).read_bytes()


def test_items_that_the_results_ask_no_more_are_gone(project, capsys):
    review(capsys, "assign")
    table.write(some(1), Items, Path("results/checks/items.parquet"))
    assert review(capsys, "assign") == "2 review item(s), 0 of them new\n"
    told = json.loads(review(capsys, "status", "--json"))
    assert {queue["queue"]: queue["items"] for queue in told["queues"]} == {"logos": 1, "inpainting": 1}


@pytest.mark.parametrize("flags", [("--votes", 3), ("--seed", 1)])
def test_votes_that_nobody_is_asked_for_are_told(project, capsys, flags):
    with pytest.raises(AccordError, match=f"--reviewer: is missing beside {flags[0]}"):
        review(capsys, "assign", "--queue", "logos", *flags)


def test_without_results_nothing_is_asked(project):
    with pytest.raises(AccordError, match="there are no items yet"):
        asked.items(Path("elsewhere"))


def test_there_and_back_by_label_studio(project, capsys):
    review(capsys, "add", "--name", "ada", "--password-file", "secret")
    review(capsys, "assign", "--queue", "logos", "--reviewer", "ada")
    told = review(capsys, "export", "--queue", "logos", "--out", "out", "--prefix", "https://pictures.example/")
    assert told.startswith("3 task(s) written to out; 0 item(s) have no picture in the results\n")
    with pytest.raises(AccordError, match="give a new or empty folder"):
        review(capsys, "export", "--queue", "logos", "--out", "out")
    tasks = json.loads(Path("out/tasks.json").read_text())
    choice = {"type": "choices", "value": {"choices": ["drop"]}}
    for task in tasks:
        task["annotations"] = [{"completed_by": 5, "result": [choice]}]
    Path("back.json").write_text(json.dumps(tasks))
    with pytest.raises(AccordError, match="map it with"):
        review(capsys, "import", "back.json")
    assert review(capsys, "import", "back.json", "--annotator", "5=ada") == (
        "3 vote(s) recorded, 0 already known, 0 cancelled\n"
    )
    assert review(capsys, "import", "back.json", "--as", "ada") == "0 vote(s) recorded, 3 already known, 0 cancelled\n"
    with pytest.raises(AccordError, match="NUMBER=NAME"):
        review(capsys, "import", "back.json", "--annotator", "5")


def test_a_password_is_typed_twice_or_in_a_file(project, capsys, monkeypatch):
    with pytest.raises(AccordError, match="there is no terminal"):
        review(capsys, "add", "--name", "ada")
    with pytest.raises(AccordError, match="can't be read"):
        review(capsys, "add", "--name", "ada", "--password-file", "nowhere")
    typed = iter([PASSWORD, PASSWORD + "!", PASSWORD, PASSWORD])
    monkeypatch.setattr("getpass.getpass", lambda _: next(typed))
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    with pytest.raises(AccordError, match="differs from the first one"):
        review(capsys, "add", "--name", "ada")
    review(capsys, "add", "--name", "ada")
    with store.reading(Path("vault")) as db:
        assert accounts.authenticate(db, "ada", PASSWORD).role == "reviewer"


def test_accounts_are_changed_and_put_out_of_use(project, capsys):
    review(capsys, "add", "--name", "ada", "--password-file", "secret")
    Path("secret").write_text("another battery staple")
    assert review(capsys, "add", "--name", "ada", "--new-password", "--password-file", "secret") == (
        "the password was changed\n"
    )
    with pytest.raises(AccordError, match="has no account"):
        review(capsys, "add", "--name", "bob", "--new-password", "--password-file", "secret")
    with pytest.raises(AccordError, match="can't be combined"):
        review(capsys, "add", "--name", "ada", "--new-password", "--deactivate")
    review(capsys, "add", "--name", "ada", "--deactivate")
    assert "ada (reviewer, inactive): 0 to decide, 0 decided" in review(capsys, "status")


def test_no_flag_takes_a_password(project, capsys):
    with pytest.raises(SystemExit):
        review(capsys, "add", "--name", "ada", "--password", PASSWORD)


def test_what_was_tampered_with_is_told(project, capsys):
    review(capsys, "add", "--name", "ada", "--password-file", "secret")
    with store.opened(Path("vault")) as db:
        db.execute("UPDATE reviewer SET role = 'admin'")
    with pytest.raises(AccordError, match="differs from its record"):
        review(capsys, "verify")


def test_serve_serves_the_page(project, monkeypatch):
    served = []
    monkeypatch.setattr(server, "serve", lambda *given, **more: served.append((given, more)))
    cli.main(["review", "serve", "--port", "9000", "--vault", "v", "--url", "https://review.example"])
    assert served == [
        (
            ([], "127.0.0.1", 9000),
            {"vault": Path("v"), "results": None, "cert": None, "key": None, "url": "https://review.example"},
        )
    ]
