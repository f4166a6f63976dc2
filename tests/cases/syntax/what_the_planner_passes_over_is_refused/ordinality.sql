SELECT i
-- error: [invalid-query]
FROM generate_series(1, << last >>) WITH ORDINALITY AS t(i, n)
