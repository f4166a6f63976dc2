raise RuntimeError("it cannot be imported")
