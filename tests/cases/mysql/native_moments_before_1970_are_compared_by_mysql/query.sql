/*---
source: shop
---*/
SELECT id FROM native_moments_before_1970_are_compared_by_mysql.orders
WHERE ts >= << since: timestamptz >> AND at >= << since >> AND at > << after: timestamp >>
ORDER BY id
