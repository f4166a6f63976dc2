/*---
params:
  # error: [unknown-function]
  a: { allowed_values: { query: SELECT line FROM read_csv('/etc/passwd') } }
  # error: [unknown-table]
  b: { allowed_values: { query: SELECT name FROM information_schema.df_settings } }
  # error: [unknown-table]
  c: { allowed_values: { query: SELECT city FROM 'data/customers.csv' } }
---*/
SELECT << a: text >> AS a, << b: text >> AS b, << c: text >> AS c
