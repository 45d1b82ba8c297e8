"""Whose pictures may be learnt from, and by whom a model may be judged."""
