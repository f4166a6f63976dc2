SELECT
  customer_id,
  mode(status) AS usual,
  mode(note) FILTER (note = 'no such note') AS none,
  mode(quantity % 2) AS parity
FROM orders
WHERE id > << after >>
GROUP BY customer_id
ORDER BY customer_id
