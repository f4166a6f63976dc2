/*--- { enabled: false } ---*/
-- error: [unknown-table]
SELECT id FROM order_lines
