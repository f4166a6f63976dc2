/*--- { description: Counts the rows of packed., lints: { unfiltered-scan: allow } } ---*/
SELECT count(id) AS n, max(total) AS most FROM packed
