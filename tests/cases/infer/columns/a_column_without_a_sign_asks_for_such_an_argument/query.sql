SELECT name, row_number() OVER (ORDER BY id) AS place
FROM unsigned
WHERE id <> << id >> AND id > << both >> AND length(name) = << both >> AND id < << declared: bigint >> AND cardinality(tags) = << count >>
QUALIFY place <= << top >>
