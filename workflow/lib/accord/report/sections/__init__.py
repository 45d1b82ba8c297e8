"""The sections of the report's pages: each a function from what is told to a section."""
