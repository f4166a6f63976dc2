/*--- { description: Counts the rows of file., lints: { unfiltered-scan: allow } } ---*/
SELECT count(id) AS n, max(total) AS most FROM file
