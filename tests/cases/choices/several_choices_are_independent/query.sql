/*---
params:
  by: { choices: { status: status, customer: CAST(customer_id AS text) } }
  measure: { choices: { orders: count(*), pieces: sum(quantity) } }
  sort: { choices: { by_key: key, by_measure: "measure DESC, key" }, default: by_key }
---*/
SELECT << by >> AS key, << measure >> AS measure FROM orders GROUP BY << by >> ORDER BY << sort >>
