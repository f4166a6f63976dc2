-- calls: 1
SELECT count(*) AS n FROM orders WHERE quantity <> ALL(<< a >>) AND price > ALL(<< b >>) AND day < ANY(<< c >>)
