"""Strategies: what one is, finding and loading them, their parameters and fingerprints.

Reads strategy files and runs their code; has no knowledge of any one strategy.
"""
