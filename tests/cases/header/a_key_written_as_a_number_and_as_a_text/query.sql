/*---
meta: { 1: a, "1": b } # error: [invalid-yaml]
---*/
SELECT id FROM orders
