SELECT id FROM orders
WHERE price > << least = 20 + 20 >> AND quantity > << n: int = 1 + 1 >> AND placed_at > << since = current_date >>
ORDER BY id
