"""Blocks of random bits are those of numpy's Philox."""

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st
from judged import LARGEST

from calcsim.game.philox import philox_block

WORDS = st.integers(0, LARGEST)


def block(seed, *counter):
    return [int(word) for word in philox_block(*(np.uint64(part) for part in (seed, *counter)))]


def numpy_block(seed, *counter):
    """numpy counts up before it draws: it starts one below, over all 256 bits."""
    number = sum(part << (64 * place) for place, part in enumerate(counter))
    before = (number - 1) % 2**256
    words = np.array([before >> (64 * place) & LARGEST for place in range(4)], dtype=np.uint64)
    bits = np.random.Philox(key=np.array([seed, 0], dtype=np.uint64), counter=words)
    return bits.random_raw(4).tolist()


@given(seed=WORDS, number=WORDS, stream=WORDS, deal=WORDS, strategy=WORDS)
@example(seed=0, number=1, stream=0, deal=0, strategy=0)
@example(seed=2**63, number=2**63, stream=2**63, deal=2**63, strategy=2**63)
@example(seed=LARGEST, number=LARGEST, stream=LARGEST, deal=LARGEST, strategy=LARGEST)
@example(seed=1, number=0, stream=0, deal=0, strategy=7)
def test_blocks_are_those_of_numpy(seed, number, stream, deal, strategy):
    counter = (number, stream, deal, strategy)
    assert block(seed, *counter) == numpy_block(seed, *counter)


def test_the_published_block_of_zeros():
    assert block(0, 0, 0, 0, 0) == [
        0x16554D9ECA36314C,
        0xDB20FE9D672D0FDC,
        0xD7E772CEE186176B,
        0x7E68B68AEC7BA23B,
    ]
