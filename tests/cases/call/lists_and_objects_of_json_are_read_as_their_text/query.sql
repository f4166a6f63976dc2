SELECT id, o FROM lines WHERE id > << after: bigint >>
UNION ALL
SELECT id, o FROM list
ORDER BY id
