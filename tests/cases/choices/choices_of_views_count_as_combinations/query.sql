/*---
# error: [invalid-choice]
params: { sort: { choices: { a: id, b: price, c: day, d: note, e: status, f: quantity, g: placed_at, h: customer_id } } }
---*/
SELECT id FROM some ORDER BY << sort >>, id
