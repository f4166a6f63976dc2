/*---
params:
  metric: { choices: { pieces: quantity, value: price } }
  by: { choices: { status: status, customer: CAST(customer_id AS text) } }
  sort: { choices: { largest: total DESC, smallest: total, name: key }, default: largest }
---*/
SELECT << label: text >> AS label, << by >> AS key, sum(CAST(<< metric >> AS double)) AS total
FROM orders
WHERE day >= << since >> AND << metric >> > << least >>
GROUP BY 1, 2
ORDER BY << sort >>, key
LIMIT << rows >>
