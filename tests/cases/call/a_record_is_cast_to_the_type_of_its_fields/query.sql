SELECT CAST({'a': << a: int >>, 'b': '2'} AS STRUCT(a VARCHAR, b BIGINT)) AS one,
    {'x': {'y': 1.5}}::STRUCT(x STRUCT(y DECIMAL(3,1))) AS other
