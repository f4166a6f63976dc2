/*---
description: >
  Orders of one status,

  newest first.
params:
  status: { description: "  The status of the order.  ", examples: [open, shipped] }
columns:
  id: { description: Number of the order. }
---*/
SELECT id, status FROM orders WHERE status = << status >> ORDER BY id DESC
