/*---
params: { a: { allowed_values: ['2024-01-02', '2024-01-05'] }, b: { allowed_values: [1, 2] } }
---*/
SELECT count(*) AS n FROM orders WHERE day = CAST(<< a >> AS date) AND price > CAST(<< b >> AS double)
