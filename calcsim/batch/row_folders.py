"""Where a run directory keeps the rows of each strategy."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

DEALS = "deals"


def row_folder(run: Path, label: str) -> Path:
    """The folder of a strategy's rows in a run directory; its label is percent-encoded."""
    return run / DEALS / f"strategy={quote(label, safe='')}"
