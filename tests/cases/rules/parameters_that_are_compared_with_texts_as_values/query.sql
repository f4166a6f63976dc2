/*---
params:
  note: { allowed_values: [plain, none] }
  by: { choices: { state: status, remark: note } }
---*/
SELECT id
FROM orders
WHERE (<< status >> = 'all' OR status = << status >>)
  AND (<< mode >> = 'all' OR price > 1)
  AND (<< note >> = 'none' OR quantity > 1)
  AND << by >> = 'open'
ORDER BY id
