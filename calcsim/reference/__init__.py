"""The game once more, in plain Python: the judge of the compiled engine.

Written from the rules alone and slow on purpose: every function reads like the rule that it states.
Takes numpy's Philox and nothing else: what it shared with the engine, it could not judge.
"""
