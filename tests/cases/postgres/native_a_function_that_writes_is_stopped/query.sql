/*---
source: shop
---*/
SELECT native_a_function_that_writes_is_stopped.bump() AS n
