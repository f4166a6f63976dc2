"""What `returns` is said of."""


def numbers(most: int) -> list[int]:
    """Numbers."""
    return list(range(most))
