SELECT id
FROM orders
-- error: [invalid-default]
WHERE quantity >= << a = current_date >>

-- error: [invalid-default]
  OR day >= << b = 1 + 1 >>

-- error: [invalid-default]
  OR price > << c = 'ab' || 'c' >>

-- error: [invalid-default]
  OR status = << d = 1 + 1 >>

-- error: [invalid-default]
  OR day >= << e = '2024' || '-01-01' >>

-- error: [invalid-default]
  OR id IN << f = ARRAY[upper('a')] >>

-- error: [invalid-default]
  OR id IN << g = 1 + 1 >>

-- error: [invalid-default]
  OR status = << h = string_to_array('a,b', ',') >>
