"""From findings, policies and people's decisions to verdicts."""
