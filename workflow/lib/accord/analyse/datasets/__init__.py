"""Adapters: annotation files of public datasets of people, read into the tables that a release has.

Each module has one function `read(folder, problems) -> Dataset`. What it can't read goes to `problems`.
"""
