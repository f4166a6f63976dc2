/*---
params: { least: { default: null } }
---*/
-- A default of null is none, and says that the agent may leave it out.
SELECT id FROM orders WHERE quantity >= coalesce(<< least >>, 10) ORDER BY id
