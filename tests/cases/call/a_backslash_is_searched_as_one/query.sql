SELECT count(*) FILTER (WHERE p ~ '\\') AS any, count(*) FILTER (WHERE p ~ 'C:\\t') AS c_t,
       count(*) FILTER (WHERE p ~* 'c:\\t') AS c_t_any, count(*) FILTER (WHERE p ~ '\\\\') AS two,
       count(*) FILTER (WHERE p ~ '[\\]') AS of_a_set, count(*) FILTER (WHERE regexp_like(p, '\x5c')) AS by_number,
       count(*) FILTER (WHERE p !~ '\\') AS none, count(*) FILTER (WHERE p SIMILAR TO '%\\%') AS alike,
       count(*) FILTER (WHERE p LIKE '%\\%') AS liked, count(*) FILTER (WHERE strpos(p, << what >>) > 0) AS found
FROM paths
