"""Searching for people who consented to nothing: what must be stated, who must not be searched for, what is kept."""

import datetime
import io
import os
import re
import ssl
import time
from pathlib import Path

import fake_web
import pandas as pd
import pytest
from fake_web import serving

from accord import shards
from accord.engine import table
from accord.erase import search_command
from accord.errors import AccordError
from accord.evaluate.asking import answer_vault
from accord.evaluate.asking.answer_vault import Call, Limits
from accord.models.protocols import Answer, PaidAnswer
from accord.release import import_search
from accord.release.archives import formats
from accord.release.making.shard_tables import ALL
from accord.release.searching import fetching, guards, names, register, searchers

ROOT = Path(__file__).parents[2]
TODAY = datetime.date.today()
UNTIL = (TODAY + datetime.timedelta(30)).isoformat()
TERMS = {"basis": "The ethics board of the university allows this study.", "until": UNTIL}
GOOD = "https://good.example"
LIST = "name,words,gender,origin\nAda Lovelace,mathematician,female,Europe\n  Grace   Hopper ,,female,America\n"


@pytest.fixture
def vault(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GOOGLE_API_KEY", "hidden-key")
    monkeypatch.setenv("GOOGLE_SEARCH_ENGINE", "hidden-engine")
    return tmp_path / "vault"


def listed(vault, text=LIST):
    path = vault.parent / "people.csv"
    path.write_text(text)
    with register.opened(vault) as known:
        known.add(names.read(path, known))
        return known.queries()


def config(vault, **over):
    search = {"searcher": "google_images", "most": 20, "max_requests": 100, "retention_hours": 1}
    made = {
        "release": {"archive": {"format": "search", "terms": TERMS, "search": search}},
        "analyse": {"min_subjects": 10},
        "evaluate": {"rapid": {"services": ["a"], "impostors": 0, "hand": {"share": 0}}},
        "train": {"models": {}},
        "vault": str(vault),
    }
    return made | over


def said(vault, **over):
    with pytest.raises(AccordError) as error:
        guards.planned(config(vault, **over), ["00"])
    return [problem.what for problem in error.value.problems]


# Guards


@pytest.mark.parametrize(
    ("terms", "what"),
    [
        ({}, "isn't stated: the people searched for consented to nothing"),
        ({**TERMS, "basis": "yes"}, "isn't stated: the people searched for consented to nothing"),
        ({**TERMS, "basis": "x x x x x"}, "isn't stated: the people searched for consented to nothing"),
        ({**TERMS, "basis": "yes Yes yes yes YES yes"}, "isn't stated: the people searched for consented to nothing"),
        ({**TERMS, "until": "soon"}, "isn't stated"),
        ({**TERMS, "until": "2020-01-01"}, "was 2020-01-01: what allowed this is over"),
        ({**TERMS, "until": "2999-01-01"}, "is 2999-01-01, more than a year ahead"),
    ],
)
def test_nothing_starts_without_a_basis_that_still_holds(vault, terms, what):
    listed(vault)
    archive = config(vault)["release"]["archive"]
    assert what in said(vault, release={"archive": {**archive, "terms": terms}})
    with pytest.raises(AccordError):
        guards.check_stated(terms, TODAY.isoformat())
    guards.check_stated(TERMS, UNTIL)


def test_a_search_is_a_run_of_its_own_for_a_test_alone(vault):
    listed(vault)
    found = said(
        vault,
        analyse={"min_subjects": 9},
        evaluate={"rapid": {"services": [], "impostors": 0.3, "hand": {"share": 0.2}}},
        train={"models": {"xception": {}}},
    )
    assert found == [
        "is 9: no group of fewer than 10 queries may be shown",
        "is empty",
        "mixes pictures of others in",
        "asks people to look at faces, of which a search keeps no picture",
        "isn't empty",
    ]
    (vault.parent / "results/release/00").mkdir(parents=True)
    (vault.parent / "results/release/00/files.tar").write_bytes(b"another run's")
    release = vault.parent / "results/release/release.json"
    release.write_text('{"dataset": "fhibe"}')
    assert said(vault) == ["results has results of another run"]
    with pytest.raises(AccordError, match="results has results of another run"):
        search_command.main(["end", "--with-results", "--vault", str(vault)])
    release.unlink()
    (vault.parent / "results/intake").mkdir()
    assert said(vault) == ["results has results of another run"]
    assert (vault.parent / "results/release/00/files.tar").exists()
    with pytest.raises(AccordError, match="the licence of a search forbids it"):
        formats.chosen({"format": "search", "terms": {**TERMS, "train": True}, "search": {}})


def test_nobody_listed_or_too_many_requests_stop_before_any(vault):
    assert said(vault) == ["lists nobody to search for"]
    queries = listed(vault)
    archive = config(vault)["release"]["archive"]
    few = {"archive": {**archive, "search": {**archive["search"], "max_requests": 3}}}
    assert said(vault, release=few) == ["2 queries take 4 requests, and 3 are allowed"]
    found = guards.planned(config(vault), shards.names(4))
    assert sorted(query for some in found.values() for query in some) == queries
    assert all(shards.shard_of(query, 4) == shard for shard, some in found.items() for query in some)


def test_pictures_that_a_killed_run_left_are_gone_at_the_next_start(vault):
    listed(vault)
    names = ("release/00/files.tar", "release/00/derivatives.parquet", "evaluate/00/sface.templates.parquet",
             "evaluate/00/sface.templates.parquet.partial", "release/00/files.tar.partial")  # fmt: skip
    left = [vault.parent / "results" / name for name in names]
    for path, age in zip(left, (7200, 7200, 7200, 7200, 60), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"picture")
        os.utime(path, (time.time() - age,) * 2)
    said(vault, release={"archive": {**config(vault)["release"]["archive"], "terms": {}}})
    assert [path.exists() for path in left] == [False, False, False, False, True]
    assert guards.clean(vault.parent / "results", 0) == 1


WRONG = [{"terms": {"until": UNTIL}}, {"terms": "none"}, {"search": None}, {"search": {"retention_hours": "long"}}]


@pytest.mark.parametrize("wrong", WRONG)
def test_a_configuration_that_is_wrong_keeps_no_picture_longer(vault, wrong):
    """As where somebody takes the basis out, which the schema refuses before any guard is asked."""
    left = vault.parent / "results/release/00/files.tar"
    left.parent.mkdir(parents=True)
    said = config(vault)
    said["release"]["archive"] |= wrong
    for hours, is_kept in ((0.1, True), (25, False)):
        left.write_bytes(b"picture")
        os.utime(left, (time.time() - 3600 * hours,) * 2)
        guards.clean_by(said)
        assert left.exists() == is_kept


@pytest.mark.parametrize("said", [{}, {"release": None}, {"release": {"archive": {"format": "fhibe"}}}])
def test_what_is_no_search_loses_nothing(vault, said):
    left = vault.parent / "results/release/00/files.tar"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"picture")
    os.utime(left, (0, 0))
    guards.clean_by(said)
    (vault.parent / "results/intake").mkdir()
    guards.clean_by(config(vault))
    assert left.exists()


def test_what_rules_of_a_search_delete_once_used_is_what_a_killed_run_loses():
    rules = "".join(path.read_text() for path in sorted((ROOT / "workflow/rules").glob("*.smk")))
    gone = set(re.findall(r'(?:fleeting|temp)\("<results>/([^"]+)"', rules))
    gone |= {f"release/{{shard}}/{name}.parquet" for name in re.findall(r'temp\(IMPORTED\["(\w+)"\]\)', rules)}
    some = {re.sub(r"{\w+}", "*", path) for path in gone}
    assert some >= set(guards.FLEETING) and not {path for path in some if "templates" in path} - set(guards.FLEETING)


def test_after_an_opt_out_the_shard_of_the_person_has_to_be_made_anew(vault):
    """Whatever Snakemake remembers: in a new checkout it wouldn't know that the list changed."""
    queries = listed(vault)
    results = vault.parent / "results/release"
    for shard, query in zip(("00", "01"), queries, strict=True):
        (results / shard).mkdir(parents=True)
        pd.DataFrame({"image": [f"{query}-1"], "subject": [query]}).to_parquet(results / shard / "people.parquet")
    (results / "release.json").write_text('{"dataset": "search"}')
    with register.opened(vault) as known:
        gone = queries.index(known.id_of("Ada Lovelace"))
    assert search_command.main(["opt-out", "Ada Lovelace", "--vault", str(vault)]) == 0
    assert [(results / shard / "people.parquet").exists() for shard in ("00", "01")] == [gone == 1, gone == 0]


def test_the_end_leaves_nothing_of_pictures_or_faces(vault, capsys):
    listed(vault)
    left = vault.parent / "results/evaluate/00/sface.templates.parquet"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"vectors")
    assert search_command.main(["end", "--vault", str(vault)]) == 0 and not left.exists()
    assert "1 files of pictures and faces erased" in capsys.readouterr().out


def test_the_end_takes_nothing_that_is_not_a_search_s(vault, capsys):
    """Another run's settings name its vault and results: neither they nor a mistyped vault end a search."""
    listed(vault)
    folder = vault.parent
    other = folder / "results/rapid/release/release.json"
    other.parent.mkdir(parents=True)
    other.write_text('{"dataset": "fhibe"}')
    (folder / "config").mkdir()
    (folder / "config/config.yaml").write_text("vault: vault\n")
    (folder / "search.yaml").write_text(
        f"vault: {vault}\npathvars: {{results: results/search}}\nrelease: {{archive: {{format: search}}}}\n"
    )
    mine = folder / "results/search/release/release.json"
    end = ["end", "--with-results"]
    for flags, why in (
        ([], r"(?s)config/config\.yaml has no search .*--config FILE"),
        (["--vault", str(folder / "valut")], "has no list of people"),
        (["--vault", str(folder / "valut"), "--config", "search.yaml"], "has no list of people"),
        (["--vault", str(vault)], "has results of another run"),
        (
            ["--vault", str(vault), "--results", str(folder / "config")],
            "nothing says that these are results of a search",
        ),
        (["--config", "search.yaml", "--results", str(folder / "results")], "has results of another run"),
    ):
        with pytest.raises(AccordError, match=why):
            search_command.main([*end, *flags])
        assert other.exists() and not (folder / "valut").exists()
        with register.opened(vault) as known:
            assert len(known.queries()) == 2
    for way in (["--config", "search.yaml"], ["--vault", str(vault), "--results", str(folder / "results/search")]):
        mine.parent.mkdir(parents=True)
        mine.write_text('{"dataset": "search"}')
        assert search_command.main([*end, *way]) == 0 and other.exists() and not (folder / "results/search").exists()
    with register.opened(vault) as known:
        assert known.queries() == []
    assert "results/search erased" in capsys.readouterr().out


# Who is searched for


def test_names_are_ids_outside_of_the_vault_and_another_vault_has_others(vault):
    queries = listed(vault)
    with register.opened(vault) as known:
        assert known.id_of("ADA  lovelace") in queries and len(queries) == 2
        found = known.search(known.id_of("Ada Lovelace"))
        assert (found.name, found.words, dict(found.groups)) == (
            "Ada Lovelace", "mathematician", {"gender": "female", "origin": "Europe"},
        )  # fmt: skip
        assert known.picture_of(queries[0], "https://x").startswith(f"{queries[0]}-")
    with register.opened(vault.parent / "other") as other:
        assert other.id_of("Ada Lovelace") not in queries
    assert (vault / register.NAME).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "rows",
    ["Ada\nADA\n", ",\n", "A" * 201 + "\n", "Ada\x07\n", "Ada,x,too,many\n"],
)
def test_a_list_that_can_t_be_right_is_refused_by_line_and_tells_no_name(vault, rows):
    with pytest.raises(AccordError) as error:
        listed(vault, "name,words\n" + rows)
    assert "people.csv:" in str(error.value) and "Ada" not in str(error.value) and "AAA" not in str(error.value)


def test_a_list_in_other_scripts_is_taken_and_one_without_names_or_text_is_not(vault):
    assert len(listed(vault, "name\n山田 太郎\nЖанна Агузарова\n")) == 2
    for text in ("person\nAda\n", ""):
        with pytest.raises(AccordError, match="has no column 'name'"):
            listed(vault, text)
    (vault.parent / "people.csv").write_bytes(b"\xff\xfe\x00")
    with register.opened(vault) as known, pytest.raises(AccordError, match="can't be read"):
        names.read(vault.parent / "people.csv", known)


def test_who_opts_out_is_erased_asked_no_more_and_can_t_be_listed_again(vault, capsys):
    queries = listed(vault)
    model = {"name": "far", "adapter": "facepp:Client", "options": {}}
    with register.opened(vault) as known:
        ada = known.id_of("Ada Lovelace")
    [other] = set(queries) - {ada}
    with answer_vault.opened(vault, model) as store:
        store.reserve(3, 0.0, Limits())
        for left, right in ((f"{ada}-1", ""), (f"{other}-1", f"{ada}-2"), (f"{other}-1", "")):
            store.keep(Call(left, "ab", "x", right), PaidAnswer(Answer("0.5"), ""))
    main = search_command.main
    assert main(["opt-out", "ada LOVELACE", "--vault", str(vault)]) == 0
    assert "2 paid answers erased" in capsys.readouterr().out
    assert b"Lovelace" not in (vault / register.NAME).read_bytes()
    assert main(["opt-out", "Nobody", "--vault", str(vault)]) == 1
    told = capsys.readouterr().out
    assert "nobody of that name was listed" in told and "still searched for" in told
    for empty in ("", "  ", "\u200b"):
        with pytest.raises(AccordError, match="is empty"):
            main(["opt-out", empty, "--vault", str(vault)])
    with register.opened(vault) as known:
        assert known.id_of("Ada\u200b Lovelace\u200e") == ada
    assert listed(vault) == [other]
    with register.opened(vault) as known:
        assert known.search(ada) is None and known.has_opted_out(ada)
    assert answer_vault.images(vault) == {f"{other}-1"}
    results = vault.parent / "results"
    (results / "release").mkdir(parents=True)
    (results / "release/release.json").write_text('{"dataset": "search"}')
    assert main(["end", "--with-results", "--vault", str(vault)]) == 0 and not results.exists()
    assert not answer_vault.images(vault) and b"Hopper" not in (vault / register.NAME).read_bytes()
    assert main(["status", "--vault", str(vault)]) == 0
    assert "0 people are listed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("as_listed", "as_said"),
    [
        ("José Núñez", "Jose Nunez"),
        ("O\u2019Brien Pat", "o'brien pat"),
        ("Mary-Jane Watson", "Mary Jane  WATSON"),
        ("Ada Lovelace", "Ada\u200b Love\u00adlace"),
        ("Straße, Jan", "STRASSE JAN"),
        ("Жанна Агузарова", "жанна агузарова"),
        ("Łukasz Søren", "Lukasz Soren"),
        ("Nguyễn Đức", "nguyen duc"),
    ],
)
def test_who_opts_out_is_found_however_the_name_is_spelled(vault, as_listed, as_said, capsys, monkeypatch):
    listed(vault, f'name\n"{as_listed}"\nSomebody Else\n')
    read_from(monkeypatch, f"{as_said}\n".encode())
    assert search_command.main(["opt-out", "--vault", str(vault)]) == 0
    assert "is never searched for again" in capsys.readouterr().out
    with register.opened(vault) as known:
        assert len(known.queries()) == 1 and known.search(known.id_of(as_listed)) is None


def read_from(monkeypatch, data):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="latin-1"))


def test_each_line_of_a_file_opts_out_and_who_did_before_is_told_nothing_wrong(vault, capsys, monkeypatch):
    listed(vault, "name\nAda One\nBob Two\nEve Three\n")
    for _ in range(2):
        read_from(monkeypatch, b"\xef\xbb\xbfAda One\r\n\nBob Two")
        assert search_command.main(["opt-out", "--vault", str(vault)]) == 0
        told = capsys.readouterr().out
        assert told.count("is never searched for again") == 2 and "nobody" not in told
    with register.opened(vault) as known:
        assert known.queries() == [known.id_of("Eve Three")]
    read_from(monkeypatch, b"Eve Three\nSomebody Else\n")
    assert search_command.main(["opt-out", "--vault", str(vault)]) == 1


def test_names_that_can_t_be_read_opt_nobody_out(vault, monkeypatch):
    listed(vault)
    read_from(monkeypatch, "José".encode("latin-1"))
    with pytest.raises(AccordError, match="isn't UTF-8"):
        search_command.main(["opt-out", "--vault", str(vault)])
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(AccordError, match="standard input is closed"):
        search_command.main(["opt-out", "--vault", str(vault)])


@pytest.mark.parametrize("pair", [("अनिल", "अनील"), ("はは", "ばば"), ("Anna", "Anne"), ("Ann Alee", "Anna Lee")])
def test_other_names_stay_others(pair):
    assert register.normalised(pair[0]) != register.normalised(pair[1])


# Searching and fetching


def options(web, **more):
    return {
        "searcher": "google_images",
        "most": 12,
        "options": {"address": web.address, "sleep": lambda _: None},
        **more,
    }


def imported(vault, web, queries, monkeypatch, terms=TERMS, **more):
    monkeypatch.setattr(
        import_search, "_fetched", lambda urls: fetching.fetched(urls, fake_web.resolve, web.connect, 30.0)
    )
    how = {"terms": terms, "search": options(web, **more), "vault": vault, "files": vault.parent / "files.tar"}
    return import_search.run(queries=queries, **how)


def test_pictures_come_under_ids_and_no_name_or_link_leaves_the_vault(vault, monkeypatch, capfd):
    queries = listed(vault)
    links = [f"{GOOD}/{n}.png" for n in (1, 2, 1)] + [f"{GOOD}/2.png?again", f"{GOOD}/page", f"{GOOD}/missing"]
    with serving(
        {"Ada Lovelace mathematician": links, "Grace Hopper": [f"{GOOD}/{n}.png" for n in range(3, 18)]}
    ) as web:
        found = imported(vault, web, queries, monkeypatch)
    with register.opened(vault) as known:
        ada, grace = (known.id_of(name) for name in ("Ada Lovelace", "Grace Hopper"))
    assert found.people.groupby("subject").size().to_dict() == {ada: 2, grace: 12}
    assert set(found.attributes["value"]) == {"female", "Europe", "America"}
    assert not found.terms["external"].any() and not found.terms["train"].any()
    log = capfd.readouterr().err
    assert "1 pictures found twice" in log and "1 pictures not taken: status 404" in log
    assert "1 pictures not taken: no JPEG or PNG that can be read" in log
    for name in found._fields:
        frame = getattr(found, name)
        table.write(frame, ALL[name], vault.parent / f"{name}.parquet")
    outside = [path.read_bytes() for path in vault.parent.iterdir() if path.is_file() and path.name != "people.csv"]
    for secret in (b"Lovelace", b"Hopper", b"good.example", b"hidden", b"mathematician"):
        assert not any(secret in data for data in outside) and secret.decode() not in log
    searches = [path for path in web.asked if path.startswith("/search")]
    assert len(searches) == 1 + 2 and all("searchType=image" in path for path in searches)


def test_the_opt_out_list_and_the_basis_are_asked_before_every_search(vault, monkeypatch, capfd):
    queries = listed(vault)
    with register.opened(vault) as known:
        known.opt_out("Grace Hopper")
    with serving({"Ada Lovelace mathematician": [f"{GOOD}/1.png"]}) as web:
        found = imported(vault, web, queries, monkeypatch, terms={**TERMS, "external": True})
        assert len(found.people) == 1 and found.terms["external"].all()
        assert "1 opted out or erased" in capfd.readouterr().err and not any("Hopper" in path for path in web.asked)
        count = len(web.asked)
        with pytest.raises(AccordError, match="what allowed this is over"):
            imported(vault, web, queries, monkeypatch, terms={**TERMS, "until": "2020-01-01"})
        assert len(web.asked) == count


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://good.example/1.png", "isn't a plain https address"),
        ("data:image/png;base64,AAAA", "isn't a plain https address"),
        ("https://good.example:8443/1.png", "isn't a plain https address"),
        ("https://user:word@good.example/1.png", "isn't a plain https address"),
        ("https://inside.example/1.png", "isn't a public machine"),
        ("https://both.example/1.png", "isn't a public machine"),
        ("https://127.0.0.1/1.png", "isn't a public machine"),
        ("https://[::ffff:10.0.0.1]/1.png", "isn't a public machine"),
        *(
            (f"https://[{address}]/1.png", "isn't a public machine")
            for address in ("64:ff9b::a00:1", "64:ff9b:1::a00:1", "fec0::1", "::127.0.0.1", "2001:0:a00:1::1")
        ),
        ("https://192.0.0.8/1.png", "isn't a public machine"),
        ("https://169.254.169.254/latest/meta-data", "isn't a public machine"),
        (f"{GOOD}/moved", "isn't a public machine"),
        (f"{GOOD}/circle", "redirects without end"),
        (f"{GOOD}/huge", "is too large"),
        (f"{GOOD}/slow", "takes too long"),
        (f"{GOOD}/{'a' * 5000}", "has too long an address"),
        ("https://[half", "can't be fetched"),
        (f"{GOOD}/nothing", "status 404"),
    ],
)
def test_what_must_not_be_fetched_is_not_and_says_no_address(url, why):
    with serving({}) as web:
        patience = 0.8 if why == fetching.LATE else 30.0
        assert fetching.fetched([url], fake_web.resolve, web.connect, patience) == [why]


def test_a_good_picture_is_fetched_and_a_machine_that_must_prove_its_name_can_t_be_another():
    with serving({}) as web:
        assert fetching.fetched([f"{GOOD}/7.png"], fake_web.resolve, web.connect, 30.0) == [fake_web.picture(7)]
        # The true connection is encrypted: a server that isn't doesn't get a request.
        assert fetching.fetched([f"{GOOD}/7.png"], fake_web.resolve, plain_server(web)) == ["can't be fetched"]
        assert len(web.asked) == 1


def plain_server(web):
    def connect(machine, host, timeout):
        return ssl.create_default_context().wrap_socket(web.connect(machine, host, timeout), server_hostname=host)

    return connect


@pytest.mark.parametrize(
    ("status", "said"), [(403, "refuses to work (status 403)"), (429, "gave no answer (status 429)")]
)
def test_a_search_that_isn_t_answered_stops_and_tells_no_key(vault, status, said):
    with serving({}, status) as web:
        searcher = searchers.made("google_images", options(web)["options"])
        with pytest.raises(AccordError) as error:
            searcher.find("Ada Lovelace", TODAY, 10)
    assert said in str(error.value) and not any(word in str(error.value) for word in ("Ada", "hidden", "127.0.0.1"))


def test_a_searcher_that_there_isn_t_or_a_wrong_option_is_told(vault):
    with pytest.raises(AccordError, match="there is no 'ask'"):
        searchers.made("ask", {})
    with pytest.raises(AccordError, match="options don't fit"):
        searchers.made("google_images", {"colour": 1})
