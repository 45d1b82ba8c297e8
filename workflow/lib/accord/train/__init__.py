"""Train: models learnt from pictures whose terms allow it, never from those that judge them."""
