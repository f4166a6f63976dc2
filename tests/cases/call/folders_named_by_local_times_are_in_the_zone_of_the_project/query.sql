SELECT 'declared' AS source, id, day FROM declared WHERE day >= << since >>
UNION ALL
SELECT 'named' AS source, id, day FROM named WHERE day >= << since >>
ORDER BY source, id
