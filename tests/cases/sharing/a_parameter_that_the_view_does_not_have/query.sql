SELECT a.id
-- error: [unknown-parameter]
FROM cheap(mots => << top >>) AS a
-- error: [unknown-parameter]
JOIN plain(most => << top >>) AS b ON b.id = a.id
