SELECT NULL AS nothing FROM orders
