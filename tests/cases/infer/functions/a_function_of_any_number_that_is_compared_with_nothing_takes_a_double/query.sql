SELECT count(*) AS n
FROM (SELECT abs(<< a >>) AS x FROM orders) AS t
