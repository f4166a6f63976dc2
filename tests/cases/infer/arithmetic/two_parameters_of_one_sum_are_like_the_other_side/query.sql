SELECT count(*) AS n FROM orders WHERE << a >> + << b >> = quantity AND price > << c >> * << e >>
