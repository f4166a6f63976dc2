SELECT << n: int = 5 >> AS n
