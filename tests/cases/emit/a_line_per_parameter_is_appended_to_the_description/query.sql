/*---
description: Orders of one status, newest first.
parameters_in_description: true
expose: [limit]
params:
  status: { description: "The status.", allowed_values: [open, shipped, returned] }
  customers:
    max_items: 5
    minimum: 1
    description: |
      Ids of customers,
      all where none is sent
  city: { description: City of the customer, allowed_values: { query: "SELECT 'c' || CAST(value AS text) FROM generate_series(1, 150)" } }
  least: { minimum: 0, multiple_of: 5, default: 10 }
  since: { description: First day., default: { sql: current_date - 7 } }
  words: { min_length: 2, max_length: 20, pattern: "^[a-z%]+$", examples: [a%, b%] }
  sort: { choices: { newest: day DESC, oldest: day }, default: newest }
  region: { from: claim.region, type: text }
---*/
SELECT o.id FROM orders AS o JOIN customers AS c ON c.id = o.customer_id
WHERE status = << status >> AND city = << city >> AND day >= << since >> AND quantity >= << least >> AND << region >> <> ''
  [[ AND customer_id IN << customers >> ]] [[ AND note LIKE << words >> ]]
ORDER BY << sort >>, o.id
