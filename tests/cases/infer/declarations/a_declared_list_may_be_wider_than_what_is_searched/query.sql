SELECT count(*) AS n FROM orders WHERE quantity = ANY(<< a: double[] >>) AND id IN << b: int[] >>
