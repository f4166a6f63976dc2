SELECT count(*) AS n
FROM (SELECT ID AS "Id", Price AS "id", day AS "The Day" FROM Orders) AS "T"
WHERE "T"."Id" > << a >> AND "T".id > << b >> AND "The Day" <= << c >>
