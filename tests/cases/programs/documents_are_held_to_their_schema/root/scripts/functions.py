"""Settings."""


def settings(empty: bool) -> dict:
    """Settings."""
    return {} if empty else {"a": 1}


def count(most: int) -> int:
    """A number, which is the whole document."""
    return most
