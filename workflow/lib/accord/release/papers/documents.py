"""The documents of a release, in words and as small tables."""

import json

import pandas as pd

from accord.files import keep_private, temporary
from accord.release.format.sheet import Sheet
from accord.release.papers import croissant, datasheet, origin, terms
from accord.release.papers.origin import Origin
from accord.release.seal.identity import Ids
from accord.release.seal.versions import Changes
from accord.release.tree.tree import Tree

ANNOTATORS = ("annotator_id", "role", "pronoun", "age_group", "ancestry", "nationality")
KEPT = "documents.json"
"""In the private folder of a version: path -> text of its documents in words."""
AGGREGATES = ("attribute", "value", "subjects")


def write_documents(
    tree: Tree,
    facts: dict,
    about: dict[str, pd.DataFrame],
    composition: pd.DataFrame,
    changes: Changes,
    ids: Ids,
    made: Origin,
) -> None:
    """Write datasheet, changes, terms, protocol, annotators, aggregates, how it came about; then Croissant, which names
    the tables. The words are kept in the vault, so that a version can be restored after other images were delivered.
    """
    kept = made.private / KEPT
    if not (made.known and kept.exists()):
        texts = {
            "datasheet.md": datasheet.datasheet(facts, about, composition),
            "CHANGES.md": datasheet.changes(facts, changes),
            terms.TEXT: terms.text(facts),
            terms.OFFER: terms.offer(facts),
            "data/protocol/protocol.md": datasheet.protocol(facts),
        }
        keep_private(kept, json.dumps(texts).encode())
    texts = json.loads(kept.read_text())
    for path, text in texts.items():
        tree.write(path, text.encode())
    who = about["annotators"].assign(annotator_id=[ids.annotator(name) for name in about["annotators"]["annotator"]])
    _write(tree, "data/annotator_metadata/annotators.csv", ANNOTATORS, who)
    _write(tree, "data/aggregated_results/aggregates.csv", AGGREGATES, about["aggregates"])
    origin.write(tree, facts["version"], made)
    digests = {entry["path"]: entry["sha256"] for entry in tree.entries}
    tree.write(croissant.NAME, croissant.croissant(facts, digests).encode())


def _write(tree: Tree, path: str, columns: tuple[str, ...], rows: pd.DataFrame) -> None:
    with temporary() as file:
        sheet = Sheet(columns, file)
        for row in rows[list(columns)].to_dict("records"):
            sheet.add(tuple(str(row[column]) for column in columns), row)
        tree.write(path, sheet.chunks())
