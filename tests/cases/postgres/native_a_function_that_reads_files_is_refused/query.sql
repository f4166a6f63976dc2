/*---
source: shop
---*/
SELECT pg_catalog."pg_read_file" /* x */ ('/etc/passwd') AS text -- error: [foreign-statement]
