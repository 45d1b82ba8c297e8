"""The database of reviews: items, votes, outcomes, and the chain that holds them."""
