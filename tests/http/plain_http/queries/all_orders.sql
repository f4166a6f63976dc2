/*---
description: All orders, by id.
result_limit: 2
table_format: csv
params: { status: { description: State., allowed_values: [open, shipped] } }
---*/
SELECT id, status, 'a "b", ü' AS "other text" FROM orders WHERE true [[ AND status = << status >> ]] ORDER BY id
