/*--- { description: "Ends with a quote\"", expose: [] } ---*/
SELECT 1 AS one
