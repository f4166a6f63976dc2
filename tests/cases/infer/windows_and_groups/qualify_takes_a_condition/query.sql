SELECT count(*) AS n FROM (SELECT id FROM orders QUALIFY << all >> OR row_number() OVER (ORDER BY id) <= << top >>) AS t
