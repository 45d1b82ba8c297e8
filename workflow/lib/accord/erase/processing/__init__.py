"""The record of processing activities, as far as a project knows it."""
