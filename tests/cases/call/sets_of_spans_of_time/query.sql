SELECT 'union' AS op, span FROM (SELECT span FROM rows UNION SELECT interval '2 days') AS u
UNION ALL
SELECT 'intersect', span FROM (SELECT span FROM rows INTERSECT SELECT interval '2 days') AS i
UNION ALL
SELECT 'except', span FROM (SELECT span FROM rows EXCEPT SELECT interval '2 days') AS e
ORDER BY op, span
