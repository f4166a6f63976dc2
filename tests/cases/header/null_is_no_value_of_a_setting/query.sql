/*---
description: Orders. # error: [invalid-value]
enabled: null # error: [invalid-value]
timeout: ~ # error: [invalid-value]
params: { status: { description: The status., from: null } }
---*/
SELECT id FROM orders WHERE status = << status >>
