/*--- { description: Counts the rows of list., lints: { unfiltered-scan: allow } } ---*/
SELECT count(id) AS n, max(total) AS most FROM list
