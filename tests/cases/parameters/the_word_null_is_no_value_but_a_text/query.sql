-- calls: four refusals at once, four refusals at once, one row
SELECT << b?: boolean >> AS b, << day?: date >> AS day, << l?: int[] >> AS l, << x?: double >> AS x, << t?: text >> AS t
