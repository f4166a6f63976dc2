/*---
params:
  sort: { choices: { newest: day DESC, worst: "price DESC, day" }, default: newest }
---*/
SELECT id, day, price FROM orders WHERE id <= 6 ORDER BY << sort >>, id
