/*---
source: shop
---*/
SELECT id FROM native_signs_of_mysql_are_the_words_they_stand_for.orders
WHERE (id = 1 || city = << a?: text >>) AND id DIV 2 = 1 AND city = << b?: text >>
  && note = << c?: text >> AND (<< d?: text >> IS NULL || city = << d >>) && id MOD 2 = << e?: int >>
ORDER BY id
