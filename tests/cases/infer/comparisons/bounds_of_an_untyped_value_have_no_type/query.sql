-- error: [cannot-infer-type]
SELECT count(*) AS n FROM orders WHERE << a >> BETWEEN << b >> AND << c >>
