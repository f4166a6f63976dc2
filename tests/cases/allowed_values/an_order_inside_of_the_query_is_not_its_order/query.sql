/*---
params:
  status: { allowed_values: { query: "SELECT status FROM (SELECT status, row_number() OVER (ORDER BY id DESC) AS n FROM orders ORDER BY id DESC) AS o WHERE n > 0" } }
---*/
SELECT count(*) AS n FROM orders WHERE status = << status >>
