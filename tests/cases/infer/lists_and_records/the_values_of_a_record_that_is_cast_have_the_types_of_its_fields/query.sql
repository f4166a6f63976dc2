-- calls: 1
SELECT
    CAST({a: << a >>, b: << b >>} AS STRUCT(b DATE, a INT)) AS by_name,
    struct(<< c >>, [<< d >>])::STRUCT(c0 VARCHAR, c1 BIGINT[]) AS by_position,
    {x: {y: << e >>}}::STRUCT(x STRUCT(y DECIMAL(6,2))) AS inside,
    CAST([{a: << f >>}, {a: << g >>}] AS STRUCT(a DOUBLE)[]) AS several,
    CAST(named_struct('a', << h >>) AS STRUCT(a BOOLEAN)) AS named
