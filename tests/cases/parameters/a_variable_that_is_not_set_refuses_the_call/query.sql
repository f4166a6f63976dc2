/*---
params: { status: { from: env.QTOOL_CASE_OF_A_VARIABLE_THAT_IS_NOT_SET } }
---*/
SELECT count(*) AS n FROM orders WHERE status = << status >>
