"""Scores of what codecite makes of real codes, one module for each thing that gold describes."""
