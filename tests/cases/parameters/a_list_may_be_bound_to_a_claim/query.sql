/*---
params: { statuses: { from: claim.access.statuses, min_items: 1, allowed_values: [open, returned] } }
---*/
SELECT count(*) AS orders FROM orders WHERE status IN << statuses >>
