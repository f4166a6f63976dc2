/*---
source: shop
columns: { is_many: { type: boolean } }
---*/
SELECT id, b, c, n, n > 1 AS is_many FROM native_a_truth_of_mysql_is_one.t
WHERE b = << b >> [[ AND c IN << cs >> ]] ORDER BY id
