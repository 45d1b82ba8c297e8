"""Pictures of several sources with terms of their own: what is said of them, whom they show, how they are split."""
