SELECT id
FROM orders
WHERE NOT (status = << status? >> AND price > 1)
  AND quantity NOT BETWEEN << least? >> AND << most? >>
