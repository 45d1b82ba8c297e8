"""Do the images and people of two tables match, or are their ids written differently?"""

import pandas as pd

from accord.statistics.cohort import KEY
from accord.text.identity import near, rewriting
from accord.text.nouns import counted

DOUBT = "seem to be written differently"


def mismatch(before: pd.DataFrame, after: pd.DataFrame) -> str:
    """Why images that seem to be replaced may be the same ones (image, subject); "" where nothing suggests it.

    Either no image is in both, though all subjects of one side are (or the reverse), or ids of one side alone differ
    from such of the other only in case, blanks or leading zeros.
    """
    ids = {name: (set(before[name]), set(after[name])) for name in KEY}
    for name, partner in (KEY, KEY[::-1]):
        (here, there), (these, those) = ids[name], ids[partner]
        if here and there and not here & there and (these <= those or those <= these):
            change = f" (in {undone})" if (undone := rewriting(here, there)) else ""
            return f"no {name} is in both, though all {partner}s are: ids {DOUBT}{change}"
    for name, (here, there) in ids.items():
        if near_ids := set(map(near, here - there)) & set(map(near, there - here)):
            count = counted(len(near_ids), name)
            return f"ids of {count} before and after differ only in case, blanks or leading zeros: they {DOUBT}"
    return ""
