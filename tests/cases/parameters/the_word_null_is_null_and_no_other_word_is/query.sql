-- calls: one row of nulls, four refusals at once, one row of nulls
SELECT << b?: boolean >> AS b, << day?: date >> AS day, << l?: int[] >> AS l, << x?: double >> AS x, << t?: text >> AS t
