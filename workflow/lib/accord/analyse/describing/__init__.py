"""How a dataset is made up: sizes, places, measures, published references."""
