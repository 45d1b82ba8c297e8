"""From the text of an answer to one of the labels that were asked for."""
