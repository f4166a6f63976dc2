-- calls: 2, 2, 0
SELECT count(*) AS n FROM items WHERE << tag >> = ANY(tags)
