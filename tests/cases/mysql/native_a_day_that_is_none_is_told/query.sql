/*---
source: shop
---*/
SELECT id, d, dt, ts FROM native_a_day_that_is_none_is_told.t WHERE id IN << ids: int[] >> ORDER BY id
