"""Reviews by Label Studio: tasks out, annotations in."""
