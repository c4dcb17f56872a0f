"""A strategy's view of the table: nothing can be changed through it, and the draws stay hidden."""

import numpy as np
import pytest
from numba import njit
from numba.core.errors import NumbaError

from calcsim.game.layout import lay_out_tables, lay_out_variant
from calcsim.game.moves import make_move, place_on
from calcsim.game.table import PRIVATE_FIELDS, top
from calcsim.game.variants import STANDARD
from calcsim.game.view import engine_table, view


@pytest.fixture
def table():
    layout = lay_out_variant(STANDARD)
    lay_out_tables(layout.tables, layout.dealers[0])
    return layout.tables[0]


def through_view(function):
    """A compiled function that hands a table's view to another."""
    inner = njit(function)

    @njit
    def outer(table):
        return inner(view(table))

    return outer


def set_element(table):
    table.heights[0] = 1


def set_slice(table):
    table.heights[:] = 1


def add_to_element(table):
    table.foundations[0] += 1


def set_field(table):
    table.heights = np.zeros(4, dtype=np.int8)


def set_item_of_field(table):
    table["heights"][0] = 1


def set_through_a_name(table):
    heights = table.heights
    heights[0] = 1


def set_in_a_row(table):
    table.wastes[0][0] = 1


def set_in_rows(table):
    for row in table.wastes:
        row[0] = 1


def set_in_a_matrix(table):
    table.wastes[0, 0] = 1


def set_transposed(table):
    table.wastes.T[0, 0] = 1


def set_reshaped(table):
    table.heights.reshape(2, 2)[0, 0] = 1


def set_unravelled(table):
    table.wastes.ravel()[0] = 1


def set_under_another_type(table):
    table.heights.view(np.uint8)[0] = 1


def fill(table):
    table.heights.fill(1)


def let_numpy_write(table):
    np.add(table.heights, 1, table.heights)


def move_by_itself(table):
    make_move(table, 9, place_on(0))


@pytest.mark.parametrize(
    "write",
    [
        set_element,
        set_slice,
        add_to_element,
        set_field,
        set_item_of_field,
        set_through_a_name,
        set_in_a_row,
        set_in_rows,
        set_in_a_matrix,
        set_transposed,
        set_reshaped,
        set_unravelled,
        set_under_another_type,
        fill,
        let_numpy_write,
        move_by_itself,
    ],
)
def test_writing_does_not_compile(table, write):
    before = table.tobytes()
    with pytest.raises(NumbaError):
        through_view(write)(table)
    assert table.tobytes() == before


def write_flat(table):
    table.heights.flat[0] = 1


def write_as_contiguous(table):
    np.ascontiguousarray(table.heights)[0] = 1


@pytest.mark.xfail(reason="numba lets these write to arrays that it knows as read-only")
@pytest.mark.parametrize("write", [write_flat, write_as_contiguous])
def test_writing_by_detours_does_not_compile(table, write):
    with pytest.raises(NumbaError):
        through_view(write)(table)


def read_key(table):
    return table.draw_key[0]


def read_key_by_name(table):
    return table["draw_key"][0]


def read_words(table):
    return table.draw_words[0]


def read_count(table):
    return table.draws_used[0]


@pytest.mark.parametrize("read", [read_key, read_key_by_name, read_words, read_count])
def test_the_state_of_draws_is_hidden(table, read):
    assert {"draw_key", "draw_words", "draws_used"} == set(PRIVATE_FIELDS)
    with pytest.raises(NumbaError):
        through_view(read)(table)


def test_the_view_is_the_table_itself(table):
    table.tops[2] = 9

    @njit
    def seen(table):
        return top(view(table), 2), top(view(view(table)), 2), top(engine_table(view(table)), 2)

    assert seen(table) == (9, 9, 9)


def test_a_copy_of_a_field_can_be_written(table):
    def write_copy(table):
        heights = table.heights.copy()
        heights[0] = 5
        return heights[0], table.heights[0]

    assert through_view(write_copy)(table) == (5, 0)
