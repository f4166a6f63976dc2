SELECT cat, arg_max(id, n) AS largest, min_by(id, n) AS smallest, arg_max(id, n) FILTER (WHERE n < 10) AS below,
       count_if(n > << least >>) AS positive, group_concat(id ORDER BY id DESC) AS ids
FROM (VALUES ('a', '1', 10), ('a', '2', -5), ('a', '3', NULL), ('b', '4', NULL), ('c', NULL, 7), ('c', '6', 1)) AS v (cat, id, n)
GROUP BY ALL
ORDER BY ALL
