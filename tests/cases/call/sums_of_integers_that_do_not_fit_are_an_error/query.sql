SELECT sum(big) AS total, sum(DISTINCT big) AS different
FROM types
WHERE id >= << first: smallint >>
