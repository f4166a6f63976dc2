/*---
params: { status: { allowed_values: [open, shipped] } }
---*/
SELECT id FROM orders WHERE status = << status >> AND day = << day? >>
