SELECT id, lag(price, << back: bigint >>) OVER (ORDER BY id) AS earlier FROM orders WHERE id < 5 ORDER BY id
