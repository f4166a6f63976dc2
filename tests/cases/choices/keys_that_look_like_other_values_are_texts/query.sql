/*---
params:
  sort:
    choices: { yes: price, no: price DESC, on: day, true: day DESC, 1: id, 2024-01-01: id DESC }
    default: yes
---*/
SELECT id FROM orders WHERE id <= 3 ORDER BY << sort >>, id
