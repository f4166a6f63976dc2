-- error: [invalid-query]
SELECT trim(LEADING id FROM << x: int >>) AS x FROM orders
