/*---
params: { status: { required: false } }
---*/
SELECT id
FROM orders
-- warning: [null-comparison]
WHERE status = << status >>
ORDER BY id
