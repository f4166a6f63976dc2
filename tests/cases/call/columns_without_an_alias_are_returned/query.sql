SELECT count(*), max(price), quantity + << more: bigint >> FROM orders WHERE id < 3 GROUP BY quantity + << more >> ORDER BY 1, 2
