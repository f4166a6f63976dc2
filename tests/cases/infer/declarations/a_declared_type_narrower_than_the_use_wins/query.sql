SELECT id FROM orders WHERE quantity = << a: smallint >> AND price > << b: int >> AND placed_at >= << c: date >>
