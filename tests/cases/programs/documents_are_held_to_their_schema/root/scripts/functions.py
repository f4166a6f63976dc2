"""Settings."""


def settings(empty: bool) -> dict:
    """Settings."""
    return {} if empty else {"a": 1}
