SELECT
  id,
  EXISTS (SELECT 1 FROM b JOIN c ON b.id = c.id WHERE b.k = a.k AND c.k > a.j) AS two_tables,
  k IN (SELECT b.k FROM b JOIN c ON b.id = c.id WHERE c.k >= a.j AND b.id <> a.id) AS within,
  (SELECT max(b.k) AS k FROM b JOIN c ON b.id = c.id WHERE c.k = a.k) AS value,
  EXISTS (SELECT count(*) FROM b WHERE b.k = a.k) AS one_row,
  id - << less >> IN (SELECT count(*) FROM b WHERE b.k = a.k) AS counted,
  0 NOT IN (SELECT count(*) FROM b WHERE b.k = a.k) AS not_none
FROM a
WHERE EXISTS (SELECT 1 FROM b JOIN c ON b.j = c.j WHERE b.id <> a.id AND c.id <= a.id)
ORDER BY id
