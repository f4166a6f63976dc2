/*--- { name: open_orders, title: All open orders, description: Open orders. } ---*/
SELECT id FROM orders WHERE status = 'open'
