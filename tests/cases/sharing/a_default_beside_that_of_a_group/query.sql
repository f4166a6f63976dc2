/*--- { params_from: common_dates } ---*/
SELECT id
FROM orders
-- error: [conflicting-configuration]
WHERE day >= << since = DATE '2024-01-01' >>
