SELECT l.id, l."Total", p.name, t.name AS there
FROM large l JOIN people p ON p.id = l.id JOIN people_there t ON t.id = l.id LEFT JOIN places x ON x.id = l.id
