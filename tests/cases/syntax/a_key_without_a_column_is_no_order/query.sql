SELECT id,
       -- error: [constant-key]
       row_number() OVER (PARTITION BY << part >> ORDER BY id) AS a,
       -- error: [constant-key]
       rank() OVER (ORDER BY lower(<< rank >>) DESC) AS b,
       sum(quantity) OVER w AS c,
       -- error: [constant-key]
       (SELECT string_agg(note, ',' ORDER BY << inner >>) FROM orders) AS d
FROM orders
-- error: [constant-key]
WINDOW w AS (PARTITION BY << window >>)
-- error: [constant-key]
ORDER BY << sort >> DESC NULLS LAST, (<< then >> || 'x')
