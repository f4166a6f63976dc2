SELECT id FROM orders WHERE price > << least = 5 >> AND placed_at >= << since = '2024-01-01' >>
