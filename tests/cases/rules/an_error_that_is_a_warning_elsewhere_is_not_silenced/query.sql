/*---
lints: { unnamed-column: allow }
---*/
-- error: [unnamed-column]
SELECT id, quantity + << more: bigint >>
FROM orders
