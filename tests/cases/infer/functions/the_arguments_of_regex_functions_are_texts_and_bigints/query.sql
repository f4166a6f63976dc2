-- calls: 6, 0
SELECT count(*) AS n
FROM orders
WHERE regexp_like(status, << pattern >>)
  AND regexp_replace(status, << what >>, << with >>, << flags >>) = 'opEn'
  AND regexp_count(status, << letter >>, << start >>) = 1
