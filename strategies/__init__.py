"""The built-in strategies, one short file each: plain functions, nothing to register."""
