"""How far annotators and reviewers agree."""
