/*---
params: { status: { allowed_values: [open, shipped] } }
---*/
SELECT id
FROM orders
-- error: [default-not-allowed]
WHERE status = << status = 'lost' >>
