/*---
source: shop
params:
  by: { choices: { total: total, newest: placed DESC }, default: total }
---*/
SELECT id, status FROM native_lists_are_one_value.orders
WHERE status IN << states >> [[ AND total > << above >> OR id = 1 ]] [[ AND id NOT IN << without >> ]]
ORDER BY << by >>, id
