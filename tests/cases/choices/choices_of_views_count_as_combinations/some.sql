/*---
kind: view
params:
  top: { choices: { a: id, b: price, c: day, d: note, e: status, f: quantity, g: placed_at, h: customer_id, i: id DESC } }
---*/
SELECT * FROM orders WHERE id IN (SELECT id FROM orders ORDER BY << top >>, id LIMIT 5)
