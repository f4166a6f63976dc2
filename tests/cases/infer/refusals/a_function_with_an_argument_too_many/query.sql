-- error: [invalid-query]
SELECT upper(status, note) AS upper FROM orders
