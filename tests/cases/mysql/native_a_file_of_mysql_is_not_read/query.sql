/*---
source: shop
---*/
SELECT LOAD_FILE('/etc/passwd') AS n -- error: [foreign-statement]
