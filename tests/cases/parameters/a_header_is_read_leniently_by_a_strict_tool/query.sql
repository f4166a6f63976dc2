/*---
strict: true
params: { customer: { from: header.X-Customer } }
---*/
-- Headers are texts. calls: 5, 5, three times not permitted
SELECT count(*) AS n FROM orders WHERE customer_id = << customer >>
