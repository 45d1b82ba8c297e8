"""The work of reviews, over an open database: what is asked, of whom, what they say, and what follows from it.

People are named as they sign in; the database knows them by random ids.
"""

from accord.review.assigning import assign, take, waiting
from accord.review.decided import decided
from accord.review.items import Item, add_items, find
from accord.review.outlines import Region
from accord.review.progress import Progress, progress
from accord.review.voting import adjudicate, disputed, testimony, vote

__all__ = [
    "Item", "Progress", "Region", "add_items", "adjudicate", "assign", "decided", "disputed", "find", "progress",
    "take", "testimony", "vote", "waiting",
]  # fmt: skip
