/*---
params:
  by: { choices: { status: status, small: lower(status) } }
  sort: { choices: { dear: price DESC, cheap: price } }
---*/
SELECT<< by >>AS key,id FROM orders WHERE id<=3 ORDER BY<< sort >>,id
