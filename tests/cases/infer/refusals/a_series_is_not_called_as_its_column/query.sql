-- error: [unknown-column]
SELECT g * << factor: int >> AS times
FROM generate_series(1, 5) AS g
ORDER BY times
