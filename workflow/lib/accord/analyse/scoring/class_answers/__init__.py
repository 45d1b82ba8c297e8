"""From what a model answered about the class of a person to labels, recalls and their differences between groups."""
