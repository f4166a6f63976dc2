-- error: [invalid-query]
SELECT count(*) AS n
FROM unnest([1, 2], [3]) AS u
