SELECT o.id
FROM orders AS o
JOIN customers AS c ON c.id = o.customer_id [[ OR c.name = << name >> ]]
  -- warning: [swallowed-condition]
  AND c.city IS NOT NULL
ORDER BY o.id
