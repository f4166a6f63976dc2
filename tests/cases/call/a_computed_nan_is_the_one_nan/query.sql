-- Sums of both infinities are not a number, as row 3 is: larger than all numbers, and equal to each other.
SELECT 'larger sums' AS what, count(*) AS n FROM (SELECT sum(x) AS m FROM n GROUP BY u) AS w WHERE m > << least: double >>
UNION ALL
SELECT 'larger means', count(*) FROM (SELECT avg(x) AS m FROM n GROUP BY u) AS w WHERE m > << least >>
UNION ALL
SELECT 'having', count(*) FROM (SELECT u FROM n GROUP BY u HAVING sum(x) > << least >>) AS w
UNION ALL
SELECT 'in windows', count(*) FROM (SELECT id, sum(x) OVER (PARTITION BY u) AS m FROM n) AS w WHERE m > << least >>
UNION ALL
SELECT 'different', count(DISTINCT m) FROM (SELECT sum(x) AS m FROM n GROUP BY u) AS w
UNION ALL
SELECT 'groups', count(*) FROM (SELECT m, count(*) FROM (SELECT x - x AS m FROM n) AS w GROUP BY m) AS v
UNION ALL
SELECT 'smallest', CAST(min(m) AS bigint) FROM (SELECT sum(x) AS m FROM n WHERE u IN (1, 4) GROUP BY u) AS w
UNION ALL
SELECT 'first', u FROM (SELECT u, sum(x) AS m FROM n WHERE u IN (1, 4) GROUP BY u ORDER BY m DESC LIMIT 1) AS w
ORDER BY what
