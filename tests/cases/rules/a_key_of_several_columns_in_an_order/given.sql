SELECT id FROM orders WHERE (day = << day >> AND customer_id = << customer >>) LIMIT 1
