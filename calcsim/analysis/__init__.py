"""Statistics: from the tallies of games that were played, or a run directory, to tables and text.

Reads run directories and writes nothing; otherwise it is handed numbers and frames, and gives
numbers, frames and text back. Never simulates, never knows of processes.
"""
