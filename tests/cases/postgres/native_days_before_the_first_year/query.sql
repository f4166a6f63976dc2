/*---
source: shop
---*/
SELECT id FROM native_days_before_the_first_year.t WHERE d = << d: date >> AND z > << z: timestamptz >> ORDER BY id
