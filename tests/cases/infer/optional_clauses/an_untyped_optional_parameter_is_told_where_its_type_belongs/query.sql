-- error: [cannot-infer-type]
SELECT << x? >> AS x FROM orders
