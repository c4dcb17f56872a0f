"""Moves from a list, whatever lies on the table: `script[0]` of them are used up."""

import numpy as np


def arrays(variant):
    return {"script": np.zeros(1, dtype=np.int64)}


def move(table, card, script):
    script[0] += 1
    return script[script[0]]
