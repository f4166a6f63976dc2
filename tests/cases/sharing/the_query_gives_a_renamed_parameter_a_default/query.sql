/*---
params: { top: { default: 10, examples: [20] } }
---*/
SELECT id FROM cheap(most => << top >>) WHERE quantity >= 5 ORDER BY id
