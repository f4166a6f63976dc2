/*---
description: Orders of a status.
params:
  status: { description: The status., allowed_values: [open, shipped] }
result_limit: 1
---*/
SELECT id FROM orders WHERE status = << status >> ORDER BY id LIMIT 5
