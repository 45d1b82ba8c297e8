"""What may be done with images besides evaluating models on this machine, and the images that may be used for it."""

from collections.abc import Iterable
from typing import NamedTuple

import pandas as pd
from pandera.typing import DataFrame

from accord.consent.deciding.grants import EXTERNAL, TRAIN
from accord.consent.deciding.permits import having
from accord.engine import table
from accord.release.archives import formats
from accord.release.tables import Terms

REASONS = {
    TRAIN: "models may not be trained with this image",
    EXTERNAL: "this image may not be given to somebody else's server",
}
"""Purpose, a column of Terms -> why an image whose terms don't have it is not used."""


class Split(NamedTuple):
    """Rows that may be used for a purpose, and those that may not, with their `reason`."""

    allowed: pd.DataFrame
    refused: pd.DataFrame


def permitted(rows: pd.DataFrame, terms: DataFrame[Terms], purpose: str) -> Split:
    """The rows (image, ...) of images whose terms allow a purpose (a key of REASONS), and all others.

    An image without terms is refused.
    """
    reason = REASONS[purpose]
    may = rows["image"].isin(terms.loc[terms[purpose], "image"])
    return Split(rows[may], rows[~may].assign(reason=reason))


def of_people(people: pd.DataFrame, permits: pd.DataFrame) -> pd.DataFrame:
    """Table Terms of delivered images: a scope counts where everyone in the image (image, subject) permits it."""
    shown = people.groupby("image")["subject"].nunique()
    agree = {
        scope: having(scope, people, permits).groupby("image")["subject"].nunique().reindex(shown.index, fill_value=0)
        for scope in REASONS
    }
    return pd.DataFrame({scope: count == shown for scope, count in agree.items()}).rename_axis("image").reset_index()


def of_archive(images: Iterable[str], stated: formats.Terms) -> pd.DataFrame:
    """Table Terms of an archive's images, which are the same for all."""
    return table.rows([(image, *stated) for image in images], Terms)
