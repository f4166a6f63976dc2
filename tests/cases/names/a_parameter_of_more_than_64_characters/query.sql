SELECT id
FROM orders
-- error: [invalid-name]
WHERE status = << status_of_the_orders_that_were_returned_or_cancelled_in_all_the_years >>
