/*---
description: Orders of the caller by name.
strict: true
params: { name: { from: claim.org.name } }
---*/
SELECT id FROM orders WHERE name = << name >> ORDER BY id
