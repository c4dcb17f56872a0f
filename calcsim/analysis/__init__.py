"""Statistics: from the tallies of games that were played to tables, digests and text.

Touches only what it is handed, numbers and frames, and gives numbers, frames and text back.
Never simulates, never knows of processes, shards or files that a run is made of.
"""
