-- error: [unsupported-type]
SELECT NULL AS nothing FROM orders
