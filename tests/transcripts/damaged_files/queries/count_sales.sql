/*--- { description: Counts the rows of sales., lints: { unfiltered-scan: allow } } ---*/
SELECT count(id) AS n, max(total) AS most FROM sales
