"""Pictures of named people from the web, for a Rapid Test: who is searched for, within which limits."""
