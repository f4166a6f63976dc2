/*--- { params: { since: { default: { sql: current_date - 1 } } } } ---*/
SELECT << until = current_date >> AS until, << since: date >> AS since, current_date AS today
