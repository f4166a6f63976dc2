import time

time.sleep(0.6)
print("{}")


def f(name: str = "you"):
    """Greets."""
    return "Hello " + name
