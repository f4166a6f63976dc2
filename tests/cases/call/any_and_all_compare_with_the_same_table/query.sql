SELECT 'equal to any' AS which, id FROM o WHERE n = ANY (SELECT n FROM o WHERE c = << c >>)
UNION ALL
SELECT 'more than all', id FROM o WHERE n > ALL (SELECT n FROM o WHERE c = << c >>)
UNION ALL
SELECT 'less than any', id FROM o WHERE n < ANY (SELECT n FROM o WHERE c = << c >>)
UNION ALL
SELECT 'not any', id FROM o WHERE NOT (n >= ANY (SELECT n FROM o WHERE c = << c >>))
UNION ALL
SELECT 'other than all', o.id FROM o WHERE o.n <> ALL (SELECT o.n FROM o WHERE o.c = << c >>)
UNION ALL
SELECT 'of the row', id FROM o AS a WHERE n >= ALL (SELECT n FROM o WHERE o.c = a.c)
ORDER BY which, id
