/*--- { params: { many: { default: { sql: 1 << 3 } }, few: { default: { sql: 16 >> 3 } } } } ---*/
SELECT id FROM orders WHERE quantity BETWEEN << few >> AND << many >> AND id < 9 ORDER BY id
