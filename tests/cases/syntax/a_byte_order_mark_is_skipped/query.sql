/*---
description: Orders of one status.
---*/
SELECT id FROM orders WHERE status = << status >>
