-- error: [invalid-query]
SELECT id + vip AS sum FROM customers
