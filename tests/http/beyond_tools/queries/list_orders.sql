/*---
icons: [{ src: "https://example.com/order.png" }]
description: Orders, dearest first.
params:
  status: { description: State., allowed_values: { query: SELECT status FROM orders } }
result_limit: 2
---*/
SELECT id, total FROM orders WHERE true [[ AND status = << status >> ]] ORDER BY total DESC, id
