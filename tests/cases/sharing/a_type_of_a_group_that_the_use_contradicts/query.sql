/*--- { params_from: common } ---*/
SELECT id
FROM orders
-- error: [conflicting-types]
WHERE day >= << since >>
