/*---
source: shop
---*/
SELECT id FROM native_conditions_beside_full_text_of_mysql.orders
WHERE MATCH (note) AGAINST (<< words: text >> IN BOOLEAN MODE) [[ OR city = << c: text >> ]] AND id > 2
  AND city = << city?: text >>
ORDER BY << by: text >> -- error: [constant-key]
