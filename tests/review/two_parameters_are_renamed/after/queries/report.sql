SELECT id
FROM orders
WHERE quantity BETWEEN << least >> AND << most >>
