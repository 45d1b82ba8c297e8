"""The first screen of the report: all models in one figure, and their four answers in one table."""
