/*---
source: shop
---*/
SELECT id FROM native_parameters_have_the_types_of_the_server.orders
WHERE customer = << customer >> AND placed > << since >> AND day IS DISTINCT FROM << day?: date >> AND total < << below >>
  AND pieces + 1 > << pieces >> AND (note LIKE << note >> OR note IS NULL)
ORDER BY id
