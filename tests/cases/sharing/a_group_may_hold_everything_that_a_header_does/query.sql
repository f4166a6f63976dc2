/*--- { params_from: all } ---*/
SELECT id, day FROM orders
WHERE status IN << statuses >> AND day < << until >> AND customer_id = << customer >>
ORDER BY << sort >>, id
