SELECT name, n, twice, loud FROM v WHERE name = << name >> [[AND twice > << above >>]] ORDER BY n
