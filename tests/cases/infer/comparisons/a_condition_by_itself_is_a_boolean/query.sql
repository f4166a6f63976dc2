SELECT count(*) AS n FROM orders WHERE (<< a >> OR status = 'open') AND NOT << b >>
