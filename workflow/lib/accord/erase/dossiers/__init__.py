"""By what a person is looked for after the erasure."""
