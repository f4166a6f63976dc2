/*---
params:
  status: { from: header.X-Status, allowed_values: [open, shipped] }
---*/
SELECT count(*) AS n FROM orders WHERE status = << status >>
