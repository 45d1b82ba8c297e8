"""Submissions to the DeepFake Detection Challenge, by group of the people in the videos."""
