SELECT id
FROM t
WHERE ms + INTERVAL '1 microsecond' = << at >>
  AND s - INTERVAL '1 day' < << until >>
  AND (SELECT max(ms + << span: interval >>) FROM t) >= << newest >>
  AND << exact >> < ms
