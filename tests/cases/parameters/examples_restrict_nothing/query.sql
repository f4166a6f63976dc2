/*---
params: { status: { examples: [open, shipped] } }
---*/
SELECT count(*) AS n FROM orders WHERE status = << status >>
