/*---
params: { status: { required: false } }
---*/
-- calls: 3 9 16, 3 9 16, 4 12 19
SELECT id FROM orders WHERE status = coalesce(<< status >>, 'returned') ORDER BY id
