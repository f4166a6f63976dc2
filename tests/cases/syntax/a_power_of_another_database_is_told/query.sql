-- error: [syntax-error]
SELECT 2**3 AS eight
