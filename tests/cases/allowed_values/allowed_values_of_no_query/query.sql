/*---
params:
  # error: [not-a-query]
  a: { allowed_values: { query: DELETE FROM customers } }
  # error: [not-a-query]
  b: { allowed_values: { query: "CREATE TABLE t AS SELECT 1" } }
  # error: [not-a-query]
  c: { allowed_values: { query: "COPY customers TO 'x.csv'" } }
---*/
SELECT << a: text >> AS a, << b: text >> AS b, << c: text >> AS c
