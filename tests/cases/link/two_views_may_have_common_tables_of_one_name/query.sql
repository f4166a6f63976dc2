WITH picked AS (SELECT 'both' AS halves)
SELECT p.halves, f.n AS first_half, s.n AS second_half FROM first_half AS f CROSS JOIN second_half AS s CROSS JOIN picked AS p
