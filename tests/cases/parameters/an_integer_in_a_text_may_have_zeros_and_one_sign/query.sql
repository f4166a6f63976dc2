SELECT << n: int >> AS n
