/*--- { params: { of: { choices: { buyer: o.customer_id, customer: i.customer_id } } } } ---*/
SELECT o.id, << of >> FROM orders o JOIN orders i ON i.id = o.id + 1 WHERE o.id <= 3 ORDER BY o.id
