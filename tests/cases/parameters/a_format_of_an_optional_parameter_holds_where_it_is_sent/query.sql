/*---
params: { host: { format: hostname } }
---*/
-- calls: 20, 20, 0, refused, refused
SELECT count(*) AS n FROM orders WHERE id > 0 [[ AND note = << host >> ]]
