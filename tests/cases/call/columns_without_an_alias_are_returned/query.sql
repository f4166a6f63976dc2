-- warning: [unnamed-column] for the first two
SELECT count(*), max(price), quantity + << more: bigint >> AS raised FROM orders WHERE id < 3 GROUP BY quantity + << more >> ORDER BY 1, 2
