"""Scores as FHIBE's public Evaluation API computes them (SonyResearch/fhibe_evaluation_api, commit 0afa533).

Written from what that tool does, none of its code; tests/data/fhibe_api holds what it answers on hard cases.
"""
