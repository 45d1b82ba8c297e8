"""`accord search ...`: whom a Rapid Test searches the web for, who opted out, and the end of it."""

import argparse
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from accord import command_line, commands
from accord.engine import configuration
from accord.errors import AccordError, Problem
from accord.evaluate.asking import answer_vault
from accord.release.archives import formats
from accord.release.searching import guards, names, register, searchers

HELP = {
    "add": "list people to search for: a CSV file with name, words, and a column for each group",
    "status": "count the people listed; no name is shown",
    "opt-out": "never search for a person again, and erase the name and what services were paid to say",
    "end": "erase all names, pictures and paid answers: what allowed the search is over",
}


def main(argv: list[str]) -> int:
    """Run the command; returns the exit code."""
    flags = parser().parse_args(argv)
    said = configuration.said(configuration.used(flags.config))
    vault = flags.vault or Path(str(said.get("vault") or "vault"))
    _check_of_search(said, vault, flags)
    with register.opened(vault) as known:
        if flags.do == "add":
            found = names.read(flags.table, known)
            count = known.add(found)
            print(f"{count} people are listed, {len(found) - count} opted out; now delete {flags.table}")
        elif flags.do == "status":
            print(f"{len(known.queries())} people are listed")
        elif flags.do == "opt-out":
            wanted = _asked() if flags.name is None else [flags.name]
            found = [_opt_out(known, vault, name, flags.results or _results(said)) for name in wanted]
            print("run the workflow: pictures, boxes and scores of who opted out leave the results, and the pages")
            _tell_of_own(said, "what it has of them")
            return max(found)
        else:
            _end(known, vault, flags.results or _results(said), with_results=flags.with_results)
            _tell_of_own(said, "it")
    return command_line.DONE


def _check_of_search(said: dict, vault: Path, flags: argparse.Namespace) -> None:
    """Raises AccordError unless a search's settings, or all folders that they would name, are given: those of another
    run name its vault and its results."""
    files, hint = (
        ", ".join(map(str, configuration.used(flags.config))),
        "name the settings of the search: --config FILE",
    )
    is_of_search = _archive(said).get("format") == formats.SEARCHED
    if not is_of_search and flags.vault is None:
        what = f"{files} has no search (release.archive.format)" if files else "isn't given"
        raise AccordError(Problem("--config", what, hint))
    if flags.do != "add" and not (vault / register.NAME).is_file():
        raise AccordError(Problem("--vault", f"{vault} has no list of people to search for", hint))
    if not is_of_search and flags.do == "end" and flags.with_results:
        results = flags.results or _results(said)
        guards.check_own(results)
        if results.exists() and not guards.is_search(results):
            what = f"{results.as_posix()}: nothing says that these are results of a search"
            raise AccordError(Problem("--with-results", what, hint))


def _opt_out(known: register.Register, vault: Path, name: str, results: Path) -> int:
    """FAILED where nobody was ever listed by that name: then somebody may be listed by another spelling of it."""
    if not register.normalised(name):
        raise AccordError(Problem("name", "is empty", "give the name as it was listed"))
    query = known.id_of(name)
    is_known = known.search(query) is not None or known.has_opted_out(query)
    known.opt_out(name)
    answers = _forget_answers(vault, [query])
    _unmake(results, query)
    print(f"{query} is never searched for again; {answers} paid answers erased")
    if not is_known:
        print(f"but nobody of that name was listed in {vault}: the person may be, under another spelling")
        print(
            "(case, accents, apostrophes and hyphens don't count), or in another vault, and is still searched for then"
        )
    return command_line.DONE if is_known else command_line.FAILED


def _asked() -> list[str]:
    """A name from the terminal, or one in each line of a file: so none is in a shell's history or a list of processes.

    Raises AccordError where nothing can be read, or what is read isn't UTF-8.
    """
    if sys.stdin is None:
        raise AccordError(
            Problem("name", "isn't given, and standard input is closed", "give the name as it was listed")
        )
    if sys.stdin.isatty():
        print("name: ", end="", flush=True)
    data = sys.stdin.buffer.readline() if sys.stdin.isatty() else sys.stdin.buffer.read()
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise AccordError(Problem("standard input", "isn't UTF-8", "save the file as UTF-8")) from None
    return [line for line in lines if line.strip()] or [""]


def _end(known: register.Register, vault: Path, results: Path, *, with_results: bool) -> None:
    guards.check_own(results)
    queries = known.queries()
    answers, bundles = _forget_answers(vault, queries), guards.clean(results, 0)
    print(f"{known.forget(queries)} names, {answers} paid answers and {bundles} files of pictures and faces erased")
    if with_results and results.exists():
        with command_line.writing(results, "--with-results"):
            shutil.rmtree(results)
        print(f"{results.as_posix()} erased")


def _results(said: dict) -> Path:
    return Path(str(configuration.section(said, "pathvars").get("results") or "results"))


def _unmake(results: Path, query: str) -> None:
    """Erase the tables of people that name a query, so that the next run has to make their shard anew, whatever it
    remembers of the last one."""
    for path in results.glob("release/*/people.parquet"):
        if guards.is_search(results) and query in set(pd.read_parquet(path, columns=["subject"])["subject"]):
            path.unlink()


def _tell_of_own(said: dict, what: str) -> None:
    """Of pictures or links that somebody gathered, which are theirs to delete."""
    search = _archive(said).get("search") or {}
    if search.get("searcher") in searchers.BY_HAND:
        print(f"{search.get('options', {}).get('path')} isn't touched: delete {what} there, and in copies of it")


def _archive(said: dict) -> dict:
    return configuration.section(said, "release").get("archive") or {}


def _forget_answers(vault: Path, queries: Iterable[str]) -> int:
    """Erase what services were paid to say of the pictures of queries, whose ids begin with theirs."""
    wanted = set(queries)
    return answer_vault.forget(vault, [one for one in answer_vault.images(vault) if register.query_of(one) in wanted])


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = commands.begun("search", "Read docs/rapid-test.md first: these people consented to nothing.")
    of = command_line.actions(made, HELP)
    for name in HELP:
        of[name].add_argument("--vault", type=Path, help="vault folder (default: as configured)")
        command_line.config_flag(of[name])
    of["add"].add_argument("table", type=Path, help="CSV file in UTF-8")
    of["opt-out"].add_argument("name", nargs="?", help="the person's name (default: standard input, one a line)")
    for name in ("opt-out", "end"):
        of[name].add_argument("--results", type=Path, help="results folder of the search (default: as configured)")
    of["end"].add_argument("--with-results", action="store_true", help="erase that folder, too")
    return made
