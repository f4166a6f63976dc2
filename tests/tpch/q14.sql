/*---
description: Percentage of a month's revenue that came from promoted parts.
params:
  type_pattern: { description: Pattern of the promoted parts' type. }
  since: { description: First day of the month. }
result_limit: none
---*/
SELECT
  100.00 * sum(CASE WHEN p_type LIKE << type_pattern >> THEN l_extendedprice * (1 - l_discount) ELSE 0 END)
    / sum(l_extendedprice * (1 - l_discount)) AS promo_revenue
FROM lineitem, part
WHERE l_partkey = p_partkey
  AND l_shipdate >= << since >>
  AND l_shipdate < << since >> + INTERVAL '1' MONTH
