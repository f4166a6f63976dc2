def f(number: int = 2) -> int:
    """Twice a number."""
    return number * 2
