"""One folder of compiled code for all processes of a test run, kept for the next run."""

import os

from hypothesis import settings

CACHE_VARIABLE = "CALCSIM_CACHE_DIR"

# The files that take longest go first, so that no worker is left with one at the end.
LONGEST = ("test_readme.py", "test_against_reference.py", "test_contract.py", "test_diff.py")

settings.register_profile("calcsim", deadline=None)
settings.load_profile("calcsim")


def pytest_configure(config):
    if not os.environ.get(CACHE_VARIABLE) and hasattr(config, "cache"):
        os.environ[CACHE_VARIABLE] = str(config.cache.mkdir("calcsim-code"))


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.path.name not in LONGEST)
