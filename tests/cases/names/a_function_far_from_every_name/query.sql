-- error: [unknown-function]
SELECT shout_very_loudly(status) AS status FROM orders
