/*---
columns:
  id: { description: The number. }
  # error: [unknown-column]
  statuss: { description: The status. }

  # error: [unknown-column]
  colour: { description: The colour. }
---*/
SELECT id, status FROM orders
