/*---
params: { status: { pattern: "(?i)^(open|shipped)$" } }
---*/
-- The pattern takes `OPEN`; the comparison does not. calls: 6, 0, refused
SELECT count(*) AS n FROM orders WHERE status = << status >>
