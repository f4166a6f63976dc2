SELECT id
FROM orders
WHERE
  -- error: [invalid-query]
  (status, note) IN (SELECT status, note FROM orders WHERE quantity > << least >>)
