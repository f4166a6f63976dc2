SELECT id, a * (1 - b) * (1 + b) AS x
FROM (SELECT * FROM p ORDER BY id DESC LIMIT << rows: bigint >>)
