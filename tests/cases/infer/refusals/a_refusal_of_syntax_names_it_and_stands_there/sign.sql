-- error: [invalid-query]
SELECT ~ << x: text >> AS x FROM orders
