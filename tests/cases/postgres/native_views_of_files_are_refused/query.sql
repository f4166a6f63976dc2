/*---
source: shop
---*/
SELECT a.name, b.type
FROM pg_file_settings AS a, pg_hba_file_rules AS b -- error: [foreign-statement]
JOIN pg_catalog.pg_config AS c ON true -- error: [foreign-statement]
