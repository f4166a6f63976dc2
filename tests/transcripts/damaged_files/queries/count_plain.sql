/*--- { description: Counts the rows of plain., lints: { unfiltered-scan: allow } } ---*/
SELECT count(id) AS n, max(total) AS most FROM plain
