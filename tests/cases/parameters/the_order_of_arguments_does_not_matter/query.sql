SELECT << a: int >> - << b: int >> AS difference
