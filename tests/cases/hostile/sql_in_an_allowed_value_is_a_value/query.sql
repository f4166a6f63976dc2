/*---
params: { note: { allowed_values: ["' OR 1=1 --", "it's fine", "a|b"] } }
---*/
SELECT id FROM orders WHERE note = << note >> ORDER BY id
