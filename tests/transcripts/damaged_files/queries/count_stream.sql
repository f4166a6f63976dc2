/*--- { description: Counts the rows of stream., lints: { unfiltered-scan: allow } } ---*/
SELECT count(id) AS n, max(total) AS most FROM stream
