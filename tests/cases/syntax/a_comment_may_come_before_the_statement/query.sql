-- All orders.
/* Really
   all. */
SELECT id FROM orders
