-- error: [invalid-query]
SELECT status + ' of ' + note AS words FROM orders
