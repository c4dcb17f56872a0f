"""`python -m calcsim`."""

from calcsim.cli.main import main

if __name__ == "__main__":
    main()
