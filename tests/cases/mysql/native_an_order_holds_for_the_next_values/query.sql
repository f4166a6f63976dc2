/*---
source: shop
result_limit: 3
---*/
SELECT id, k, i FROM native_an_order_holds_for_the_next_values.t WHERE i IN (<< a: int >>, << b: int >>) ORDER BY k, i, id
