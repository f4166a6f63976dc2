SELECT id
FROM orders
WHERE price > << least: double >>
