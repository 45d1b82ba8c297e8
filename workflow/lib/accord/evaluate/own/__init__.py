"""A model of one's own: begun with an adapter that runs, tried, its failures told, its answers drawn."""
