SELECT o.id
FROM cheap(most => << top >>) AS o
JOIN orders AS p ON p.id = o.id
-- error: [conflicting-types]
WHERE p.status = << top >>
