/*---
lints: { unfiltered-scan: allow }
---*/
SELECT count(*) AS n FROM orders
