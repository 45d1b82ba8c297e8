"""The work of reviews, over an open database: what is asked, of whom, what they say, and what follows from it.

People are named as they sign in; the database knows them by random ids.
"""

from accord.review.assigning import assign, take, take_some, waiting
from accord.review.decided import decided
from accord.review.items import Item, add_items, find
from accord.review.outlines import Region
from accord.review.progress import Progress, progress
from accord.review.voting import Ballot, adjudicate, disputed, testimony, vote, vote_all

__all__ = [
    "Ballot", "Item", "Progress", "Region", "add_items", "adjudicate", "assign", "decided", "disputed", "find",
    "progress", "take", "take_some", "testimony", "vote", "vote_all", "waiting",
]  # fmt: skip
