/*---
params: { rows: { maximum: 5, default: 2 } }
---*/
-- calls: 1 2, 1 to 5, none, 1 2 3, two refusals, 1 and more rows that were cut
SELECT id FROM orders ORDER BY id LIMIT << rows >>
