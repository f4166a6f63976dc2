/*---
description: Revenue that a year would have had more without the discounts around a value on small quantities.
params:
  since: { description: First day of the year. }
  discount: { description: "Middle of the discounts, give or take 0.01." }
  quantity: { description: Quantities below this. }
result_limit: none
---*/
SELECT sum(l_extendedprice * l_discount) AS revenue
FROM lineitem
WHERE l_shipdate >= << since >>
  AND l_shipdate < << since >> + INTERVAL '1' YEAR
  AND l_discount BETWEEN << discount >> - 0.01 AND << discount >> + 0.01
  AND l_quantity < << quantity >>
