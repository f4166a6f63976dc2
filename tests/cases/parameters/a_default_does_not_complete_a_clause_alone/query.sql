SELECT id
FROM orders
WHERE id < 8 [[ AND (quantity >= << least = 3 >> AND price <= << most >>) ]]
ORDER BY id
