"""One folder of compiled code for all processes of a test run, kept for the next run."""

import os

from hypothesis import settings

CACHE_VARIABLE = "CALCSIM_CACHE_DIR"

settings.register_profile("calcsim", deadline=None)
settings.load_profile("calcsim")


def pytest_configure(config):
    if not os.environ.get(CACHE_VARIABLE) and hasattr(config, "cache"):
        os.environ[CACHE_VARIABLE] = str(config.cache.mkdir("calcsim-code"))
