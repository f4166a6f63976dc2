/*---
params: { status: { fixed: open } }
---*/
SELECT id FROM orders
-- error: [invalid-setting]
WHERE status = << status = 'shipped' >> LIMIT 5
