/*---
source: shop
params:
  by: { choices: { total: total, newest: placed DESC }, default: total }
---*/
SELECT id, status, << above: int >> IS NULL AS is_open FROM native_lists_and_clauses_of_mysql.orders
WHERE status IN << states >> [[ AND total > << least >> OR id = 1 ]] [[ AND id NOT IN << without >> ]] AND (id > << above >> OR << above >> IS NULL)
ORDER BY << by >>, id
