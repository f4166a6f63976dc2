SELECT count(*) AS n
FROM orders
WHERE levenshtein(status, << word >>) <= << distance >>
  AND ascii(status) = << code >>
  AND upper(status) = << loud >>
