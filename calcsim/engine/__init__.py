"""The game compiled: entry points whose machine code is kept on disk between runs.

Touches the folder of compiled code and nothing else; knows a strategy only as something that plays.
"""
