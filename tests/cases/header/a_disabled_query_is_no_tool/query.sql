/*--- { enabled: false, description: Not in service. } ---*/
SELECT id FROM orders
