"""The read-only view of the table that a strategy is handed.

In compiled code it is the same memory under another type: fields that would give the stock away do
not exist in it, and writing to the others does not compile. It costs nothing at run time.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import config, errors
from numba.core.datamodel import models
from numba.extending import intrinsic, lower_setattr_generic, register_model

from calcsim.game.table import PRIVATE_FIELDS


class ReadOnlyField(types.NestedArray):
    """A field of a `TableView`."""

    def __init__(self, field: types.NestedArray) -> None:
        """The same field, not to be written to."""
        super().__init__(field.dtype, field.shape)
        self.mutable = False
        self.name = f"readonly nestedarray({field.dtype}, {field.shape})"

    @property
    def key(self) -> Any:
        """What numba compares types by."""
        return (*super().key, "readonly")


class TableView(types.Record):
    """A table's record without the right to change it."""

    def __init__(self, table: types.Record) -> None:
        """The view of tables of a type, without their private fields."""
        fields = [
            (
                name,
                {
                    "type": ReadOnlyField(field.type),
                    "offset": field.offset,
                    "alignment": field.alignment,
                    "title": field.title,
                },
            )
            for name, field in table.fields.items()
            if name not in PRIVATE_FIELDS
        ]
        super().__init__(fields, table.size, table.aligned)
        self.table = table
        self.name = f"TableView({table.name})"

    @property
    def key(self) -> Any:
        """What numba compares types by."""
        return self.name

    def typeof(self, key: str) -> Any:
        """The type of a field."""
        if key not in self.fields:
            raise errors.TypingError(f"the table has no '{key}': it has {', '.join(self.fields)}")
        return super().typeof(key)


register_model(TableView)(models.RecordModel)
register_model(ReadOnlyField)(models.NestedArrayModel)


@lower_setattr_generic(TableView)
def _refuse_to_set_a_field(
    context: Any, builder: Any, signature: Any, arguments: Any, field: str
) -> None:
    raise errors.TypingError(f"a strategy cannot change the table: it sets '{field}'")


def _same_memory(result: types.Type, argument: types.Type) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return arguments[0]

    return result(argument), generate


@intrinsic
def _compiled_view(typing_context: Any, table: Any) -> Any:
    return _same_memory(table if isinstance(table, TableView) else TableView(table), table)


@intrinsic
def _compiled_engine_table(typing_context: Any, table: Any) -> Any:
    return _same_memory(table.table if isinstance(table, TableView) else table, table)


def _interpreted(table: Any) -> Any:
    return table


view = _interpreted if config.DISABLE_JIT else _compiled_view
"""The read-only view of a table; a view of a view is itself."""

engine_table = _interpreted if config.DISABLE_JIT else _compiled_engine_table
"""The table behind a view, for the engine's own functions alone."""
