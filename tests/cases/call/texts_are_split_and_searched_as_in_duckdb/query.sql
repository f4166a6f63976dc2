SELECT t, string_split(t, << separator >>) AS parts, len(t) AS signs, len(string_split(t, ',')) AS count,
       regexp_extract(t, '[a-z]+') AS word, regexp_extract(t, '([a-z])(x)?', 2) AS missing, regexp_matches(t, '^a') AS starts
FROM (VALUES ('a,b,'), (''), ('äö,x'), (NULL)) AS v (t)
ORDER BY t
