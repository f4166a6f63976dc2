SELECT
  id,
  quantity = << quantity? >> AS is_asked_for
FROM orders
WHERE (<< status? >> IS NULL OR status = << status? >>)
  AND (note = << note? >> OR << note? >> IS NULL)
  AND day = coalesce(<< day?: date >>, day)
  AND customer_id IS NOT DISTINCT FROM << customer? >>
  AND price > << least = 0.5 >>
  AND id IN (1, 2, << id? >>)
  [[ AND price < << most? >> ]]
  [[ AND id IN << ids >> ]]
