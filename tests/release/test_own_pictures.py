"""Pictures that somebody gathered in place of a search: the same guards, and nothing outside a folder is read."""

import datetime
import os

import fake_web
import pytest
import yaml
from fake_web import serving

from accord.erase import search_command
from accord.errors import AccordError
from accord.release import import_search
from accord.release.searching import fetching, guards, names, register, searchers

TODAY = datetime.date.today()
TERMS = {
    "basis": "The ethics board of the university allows this study.",
    "until": (TODAY + datetime.timedelta(30)).isoformat(),
}
GOOD = "https://good.example"
SINCE = datetime.date(2026, 3, 15)


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A vault that lists Ada and Grace, whose folder has pictures, and things that are none."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text("name,gender\nAda Lovelace,female\nGrace Hopper,female\n")
    with register.opened(tmp_path / "vault") as known:
        known.add(names.read(tmp_path / "people.csv", known))
    ada = tmp_path / "pictures/ADA  Lovelace"
    ada.mkdir(parents=True)
    for n in (1, 2, 3):
        (ada / f"{n}.png").write_bytes(fake_web.picture(n))
    (tmp_path / "pictures/Nobody").mkdir()
    return tmp_path


def imported(house, search, queries=None):
    with register.opened(house / "vault") as known:
        wanted = known.queries() if queries is None else queries
    how = {"terms": TERMS, "search": {"most": 20, **search}, "vault": house / "vault", "files": house / "files.tar"}
    return import_search.run(queries=wanted, **how)


def of_folder(house, **more):
    return {"searcher": "folder", "options": {"path": str(house / "pictures")}, **more}


def test_a_folder_gives_the_pictures_of_whom_it_is_named_for(house, capfd):
    found = imported(house, of_folder(house))
    with register.opened(house / "vault") as known:
        assert set(found.people["subject"]) == {known.id_of("Ada Lovelace")}
    assert len(found.people) == 3 and "1 people of whom nothing was found" in capfd.readouterr().err
    assert len(imported(house, of_folder(house, most=2)).people) == 2


def test_nothing_outside_the_folder_and_nothing_that_is_no_picture_is_read(house, capfd):
    ada, outside = house / "pictures/ADA  Lovelace", house / "elsewhere"
    outside.mkdir()
    (outside / "9.png").write_bytes(fake_web.picture(9))
    (ada / "4.png").symlink_to(outside / "9.png")
    (house / "pictures/Grace Hopper").symlink_to(outside)
    (ada / "5.png").write_bytes(b"<html>")
    (ada / "6.png").write_bytes(b"x" * (fetching.LARGEST + 1))
    (ada / ".7.png").write_bytes(fake_web.picture(7))
    (ada / "deeper").mkdir()
    os.mkfifo(ada / "8.png")
    assert len(imported(house, of_folder(house)).people) == 3
    log = capfd.readouterr().err
    assert "2 pictures not taken: can't be read" in log and "1 pictures not taken: is too large" in log
    assert "1 pictures not taken: no JPEG or PNG" in log and "Ada" not in log and "ADA" not in log


def test_who_opted_out_is_not_read_from_a_folder_either(house, capfd):
    with register.opened(house / "vault") as known:
        queries = known.queries()
        known.opt_out("ada lovelace")
    assert imported(house, of_folder(house), queries).people.empty
    assert "1 opted out or erased" in capfd.readouterr().err


def test_a_folder_that_isn_t_there_is_told(house):
    with pytest.raises(AccordError, match="isn't a folder"):
        searchers.made("folder", {"path": str(house / "people.csv")})
    with pytest.raises(AccordError, match="options don't fit"):
        searchers.made("folder", {})


def test_a_list_of_links_is_fetched_like_what_a_search_finds(house, monkeypatch, capfd):
    (house / "links.csv").write_text(
        f"name,url,published\nada lovelace,{GOOD}/1.png,{TODAY.isoformat()[:7]}\nAda Lovelace,{GOOD}/2.png,\n"
        f"Ada Lovelace,{GOOD}/3.png,2020-01-31\nGrace Hopper,https://inside.example/4.png,{TODAY.isoformat()[:7]}\n"
    )
    with serving({}) as web:
        monkeypatch.setattr(
            import_search, "_fetched", lambda urls: fetching.fetched(urls, fake_web.resolve, web.connect, 30.0)
        )
        found = imported(house, {"searcher": "listed", "options": {"path": str(house / "links.csv")}})
        assert sorted(web.asked) == ["/1.png", "/2.png"]  # both at once
    assert len(found.people) == 2
    log = capfd.readouterr().err
    assert "1 pictures not taken: isn't a public machine" in log and "good.example" not in log


@pytest.mark.parametrize("published", ["20260301", "2026-W09-1", "2026W091", "2099-01", "2026-02-30", "03/2026"])
def test_a_day_in_another_form_or_to_come_is_refused(house, published):
    (house / "links.csv").write_text(f"name,url,published\nAda,{GOOD}/1.png,{published}\n")
    with pytest.raises(AccordError, match="published is neither a month nor a day that was"):
        searchers.made("listed", {"path": str(house / "links.csv")})


def test_one_link_many_times_doesn_t_keep_the_others_out(house):
    (house / "links.csv").write_text("name,url\n" + f"Ada,{GOOD}/1.png\n" * 40 + f"Ada,{GOOD}/2.png\n")
    found = searchers.made("listed", {"path": str(house / "links.csv")}).find("Ada", SINCE, 30)
    assert [one.url for one in found] == [f"{GOOD}/1.png", f"{GOOD}/2.png"]


def test_few_pictures_are_in_memory_at_once(house):
    asked = []
    reading = import_search._few_at_once(list("abcdefg"), lambda some: asked.append(some) or some)
    next(reading)
    assert asked == [list("abcde")] and [url for url, _ in reading] == list("bcdefg")


@pytest.mark.parametrize(("published", "kept"), [("2026-03", 1), ("2026-02", 0), ("2026-03-01", 1), ("", 1)])
def test_pictures_of_an_earlier_month_are_left_out(house, published, kept):
    (house / "links.csv").write_text(f"name,url,published\nAda,{GOOD}/1.png,{published}\n")
    searcher = searchers.made("listed", {"path": str(house / "links.csv")})
    assert len(searcher.find("ADA", SINCE, 10)) == kept and searcher.find("Bea", SINCE, 10) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name\nAda\n", "has no column 'url'"),
        ("name,url\nAda,\n", "path:2: has no name or no url"),
        ("name,url,published\nAda,https://x/,soon\n", "published is neither a month nor a day"),
        ("name,url\nAda,https://x/,more\n", "path:2: has more cells than the header"),
        ("", "has no column 'name'"),
        ("name,url\nAda,\xff\n", r"can't be read \(UnicodeDecodeError\)"),
        ("name,url\nAda," + "x" * 200_000 + "\n", r"can't be read \(Error\)"),
    ],
)
def test_a_list_that_can_t_be_right_is_told_by_line_without_its_cells(house, text, said):
    (house / "links.csv").write_bytes(text.encode("latin-1"))
    with pytest.raises(AccordError, match=said) as error:
        searchers.made("listed", {"path": str(house / "links.csv")})
    assert "Ada" not in str(error.value) and "https" not in str(error.value) and "xxx" not in str(error.value)


def test_pictures_by_hand_take_no_requests_and_all_other_guards_hold(house):
    config = {
        "release": {
            "archive": {"terms": TERMS, "search": of_folder(house, most=20, max_requests=1, retention_hours=1)}
        },
        "analyse": {"min_subjects": 10},
        "evaluate": {"rapid": {"services": ["a"], "impostors": 0, "hand": {"share": 0}}},
        "train": {"models": {}},
        "vault": "vault",
    }
    assert len(guards.planned(config, ["00"])["00"]) == 2
    config["release"]["archive"]["terms"] = {}
    with pytest.raises(AccordError, match="isn't stated"):
        guards.planned(config, ["00"])


def test_what_is_somebody_s_own_is_theirs_to_delete_and_that_is_said(house, capsys):
    archive = {"format": "search", "search": of_folder(house)}
    (house / "mine.yaml").write_text(yaml.safe_dump({"vault": "vault", "release": {"archive": archive}}))
    assert search_command.main(["opt-out", "Ada Lovelace", "--config", "mine.yaml"]) == 0
    assert "pictures isn't touched: delete what it has of them there" in capsys.readouterr().out
    assert search_command.main(["end", "--config", "mine.yaml"]) == 0
    assert "pictures isn't touched: delete it there" in capsys.readouterr().out
    assert (house / "pictures/ADA  Lovelace/1.png").exists()
