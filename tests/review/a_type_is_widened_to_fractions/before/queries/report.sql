SELECT id
FROM orders
WHERE price > << least: int >>
