/*---
params:
  other: { required: true }
  customer: { default: 1 }
---*/
SELECT
  id,
  << note? >> IS NULL OR note = << note >> AS is_asked_for
FROM orders
WHERE (<< status? >> IS NULL OR status = << status >> AND quantity > << least >>)
  AND (<< status? >> IS NULL AND note IS NULL OR status = << status >>)
  AND NOT (<< status? >> IS NULL OR status = << status >>)
  AND (<< other >> IS NULL OR note = << other >>)
  AND customer_id = coalesce(<< customer >>, customer_id)
  AND day = coalesce(<< day? >>, DATE '2024-01-02')
  AND price > coalesce(<< price? >>, price)
  AND (price = coalesce(<< price? >>, price) OR quantity > 1)
  [[ AND (<< some >> IS NULL OR note = << some >>) ]]
  AND (id > 1 OR << more? >> IS NULL [[ OR id = << more >> ]])
ORDER BY id
