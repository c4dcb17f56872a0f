"""Batches of games: the plan, its shards, the workers that play them, progress, the run directory.

Starts processes and writes run directories; knows no statistics and formats nothing for people.
"""
