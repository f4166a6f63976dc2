/*---
description: Numbers with a point beside lists of decimals.
---*/
WITH t (id, price, weight) AS (
  VALUES (1, CAST('1.10' AS DECIMAL(12,2)), 0.5::double), (2, CAST('2.25' AS DECIMAL(12,2)), 1.1::double)
), lists AS (
  SELECT array_agg(price ORDER BY id) AS prices, array_agg(weight ORDER BY id) AS weights FROM t
)
SELECT
  list_contains(prices, 1.1) AS has,
  array_position(prices, 2.25) AS place,
  list_append(prices, 1.5) AS more,
  list_append(list_append(prices, 1.5), -2.5) AS two_more,
  array_prepend(0.5, prices) AS before,
  array_remove(prices, 1.1) AS less,
  list_contains(weights, 1.1) AS of_doubles,
  list_contains([1.1, 2.2], 1.1) AS written,
  (SELECT count(*) FROM t WHERE price = ANY([1.1, 2.2])) AS any_of,
  (SELECT count(*) FROM t WHERE price = ANY([weight, 2.25])) AS any_of_two,
  (SELECT count(*) FROM t WHERE price = ANY([<< one >>, 2.25])) AS any_asked,
  list_contains(prices, << asked: decimal(12,2) >>) AS has_asked
FROM lists
