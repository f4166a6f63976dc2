/*--- { description: Counts the rows of lines., lints: { unfiltered-scan: allow } } ---*/
SELECT count(id) AS n, max(total) AS most FROM lines
