/*---
params:
  unit: { choices: { monthly: "'month'", yearly: "'year'" }, default: monthly }
  what: { choices: { pieces: quantity, value: quantity * price } }
---*/
SELECT date_trunc(<< unit >>, placed_at) AS first_day, sum(CAST(<< what >> AS double)) AS total
FROM orders
WHERE id <= 6
GROUP BY 1
ORDER BY 1
