SELECT id
FROM n
WHERE CASE WHEN << by: bigint >> <> 0 THEN num / << by >> > 1 ELSE num IS NOT NULL END
ORDER BY id
