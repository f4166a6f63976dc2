SELECT id
FROM orders
WHERE status = << x >>
-- error: [conflicting-types]
QUALIFY lag(price, << x >>) OVER (ORDER BY id) > 5
