/*--- { params: { last: { default: { sql: 30 + current_date } } } } ---*/
SELECT << first = current_date - 7 >> AS first, << last: date >> AS last, << first >> < DATE '2024-03-01' AS before
