/*---
params: { status: { required: true } }
---*/
-- calls: missing, null, 3 9
SELECT id FROM orders WHERE id < 10 [[ AND status = << status >> ]] ORDER BY id
