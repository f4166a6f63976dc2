-- calls: 12
SELECT count(*) AS n FROM orders WHERE quantity BETWEEN << a >> AND price AND id NOT BETWEEN price AND << b >>
