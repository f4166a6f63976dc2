-- error: [cannot-infer-type]
SELECT upper(<< x >>) AS x FROM orders
