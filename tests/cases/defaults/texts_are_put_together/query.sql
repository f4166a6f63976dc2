/*--- { params: { city: { default: { sql: "upper('k') || 'öln'" } } } } ---*/
SELECT id, << mark = ' >> ' || '<<' >> AS mark FROM customers WHERE name = << name = 'Jürgen' || ' ' || 'Groß' >> OR city = << city >> ORDER BY id
