"""How a comparison of groups is shown: answers, a page, plots, lines of a terminal."""
