/*--- { result_limit: none } ---*/
SELECT o.id FROM orders AS o CROSS JOIN customers AS c ORDER BY o.id
