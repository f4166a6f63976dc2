/*--- { params: { sort: { choices: { by_number: "2 DESC, 1", by_status: "1", by_alias: "orders DESC, status" } } } } ---*/
SELECT status, count(*) AS orders FROM orders GROUP BY status ORDER BY << sort >>
