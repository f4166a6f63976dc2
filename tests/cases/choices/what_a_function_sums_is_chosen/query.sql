/*---
params:
  metric: { choices: { pieces: quantity, value: price, turnover: quantity * price } }
---*/
SELECT status, round(sum(CAST(<< metric >> AS double)), 2) AS total
FROM orders
GROUP BY status
ORDER BY total DESC, status
