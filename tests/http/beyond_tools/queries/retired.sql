/*--- { description: Out of service., enabled: false } ---*/
SELECT 1 AS one
