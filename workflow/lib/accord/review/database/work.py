"""The work of reviews, over an open database: what is asked, of whom, what they say, and what follows from it.

People are named as they sign in; the database knows them by random ids.
"""

from accord.review.database.assigning import assign, take, take_some, waiting
from accord.review.database.decided import decided
from accord.review.database.items import Item, add_items, find
from accord.review.database.progress import Progress, progress
from accord.review.database.voting import Ballot, adjudicate, disputed, testimony, vote, vote_all
from accord.review.drawn.outlines import Region

__all__ = [
    "Ballot", "Item", "Progress", "Region", "add_items", "adjudicate", "assign", "decided", "disputed", "find",
    "progress", "take", "take_some", "testimony", "vote", "vote_all", "waiting",
]  # fmt: skip
