SELECT
  -<< a: bigint >> AS negative,
  note || << b: text >> AS longer,
  quantity % << c: bigint >> AS rest,
  NOT << d: boolean >> AS opposite,
  quantity::double / << e: double >> AS part,
  coalesce(quantity, << f: bigint >>) AS filled
FROM orders
WHERE (status IS DISTINCT FROM << g >>)
  AND price BETWEEN << h >> AND << i >>
  AND note NOT LIKE << j >>
  AND status ~ << k >>
  AND (id = << l >> OR NOT << m: boolean >>)
