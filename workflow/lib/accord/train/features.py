"""What a frozen encoder makes of the pictures of a shard that may be learnt from: computed once for all annotators."""

from pathlib import Path
from typing import NamedTuple

from pandera.typing import DataFrame

from accord.consent.deciding.grants import TRAIN
from accord.engine import kept, table
from accord.engine.parameter_types import Folder, Former, Typed
from accord.release.making.terms import permitted
from accord.release.source_tables import Sources
from accord.release.sources.splits import TRAIN as TRAINING
from accord.release.sources.splits import VALIDATION
from accord.release.tables import Derivatives, People, Terms
from accord.train.annotators import encoding
from accord.train.pictures.reading import of_each
from accord.train.tables import Features

SHOWN = ("sha256", "height", "width")
"""What a vector depends on of a picture's row: not where it lies, which changes when others leave the bundle."""


class Encoded(NamedTuple):
    """A vector of each picture (Features)."""

    features: Typed


def run(
    derivatives: DataFrame[Derivatives],
    sources: DataFrame[Sources],
    people: DataFrame[People],
    terms: DataFrame[Terms],
    files: Path,
    former: Former,
    *,
    encoder: dict,
    weights: Folder,
) -> Encoded:
    """A vector of each picture of the splits `train` and `validation` that everyone in it permits to train with.

    files: the bundle of `derivatives`; encoder: an entry of models.yaml as JSON. Vectors of which nothing changed are
    taken over from the `former` output; those of pictures that were withdrawn are gone with it.
    """
    some = sources[sources["split"].isin((TRAINING, VALIDATION))]
    allowed = set(permitted(some, terms, TRAIN).allowed["image"])
    shown = dict(of_each(derivatives, allowed))
    whose = people[people["is_primary"]].drop_duplicates("image").set_index("image")["subject"].to_dict()
    told = {key: value for key, value in encoder.items() if key != "batch"}
    basis = kept.basis("train.annotators.encoding", told)
    digests = {
        image: kept.digest(basis, whose.get(image, ""), [getattr(row, name) for name in SHOWN])
        for image, row in shown.items()
    }
    memory = kept.memory(former, "features", Features)
    new = [(image, row) for image, row in shown.items() if not memory.holds(image, digests[image])]
    vectors = encoding.vectors(encoder, weights, files, new)
    made = table.rows([(image, whose.get(image, ""), vector) for image, vector in vectors], Features)
    return Encoded(Typed(kept.joined(memory, Features, digests, [made]), Features))
