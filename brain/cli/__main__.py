"""`python -m brain.cli` is the command `brain`."""

from brain.cli import main

if __name__ == "__main__":
    main()
