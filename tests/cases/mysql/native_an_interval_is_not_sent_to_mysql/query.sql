/*---
source: shop
---*/
SELECT id FROM native_an_interval_is_not_sent_to_mysql.t
WHERE id > 0
  -- error: [unsupported-type]
  [[ AND h = << h >> ]]
  -- error: [unsupported-type]
  [[ AND h < << longest: interval >> ]]
  -- error: [unsupported-type]
  [[ AND JSON_CONTAINS(<< ids: int[] >>, id) ]]
  [[ AND h > << text: text >> ]]
ORDER BY id
