/*---
source: shop
---*/
SELECT d FROM native_a_number_of_a_row_is_told_where_a_value_does_not_fit_in_postgres.t ORDER BY id
