-- calls: 1
SELECT nth_value(id, << position >> ORDER BY id) AS id FROM orders
