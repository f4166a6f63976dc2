SELECT << a: int >> * << b: int >> AS product, << a >> - << b >> AS difference, << c: bigint = 1 >> + 1 AS next
