/*---
# error: [invalid-value]
params: [status]
---*/
SELECT id FROM orders WHERE status = << status >>
