WITH shipped AS (SELECT id FROM shipped WHERE quantity > << least >>)
SELECT id FROM shipped ORDER BY id
