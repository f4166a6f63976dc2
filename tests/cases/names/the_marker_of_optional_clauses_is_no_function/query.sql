-- error: [unknown-function]
SELECT id FROM orders WHERE qtool_optional_and(status = 'open')
