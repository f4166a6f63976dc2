/*--- { description: The states. } ---*/
SELECT DISTINCT status FROM orders ORDER BY status
