/*---
source: shop
---*/
SELECT id, MATCH (status) AGAINST (<< words: text >>) > 0 AS is_found, ROW_NUMBER() OVER (ORDER BY id) AS place
FROM native_full_text_of_mysql.orders WHERE MATCH (status) AGAINST (<< words >> IN BOOLEAN MODE) ORDER BY id
