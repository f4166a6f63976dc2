SELECT id, CAST(x AS bigint) AS x, n::int AS n, TRY_CAST(x AS smallint) AS tried, CAST(2.99 AS bigint) AS written,
  CAST(<< p: double >> AS bigint) AS p, CAST([x, 0.5] AS bigint[]) AS items,
  sum(x::int) OVER () + sum(x::bigint) OVER () AS sums, CAST(n AS int) = 3 AS is_three,
  id IN (SELECT id FROM t WHERE CAST(n AS int) = 3) AS is_found,
  id IN (SELECT id FROM t WHERE CAST(n AS decimal(9, 0)) = -3) AS is_found_below
FROM t
ORDER BY id
