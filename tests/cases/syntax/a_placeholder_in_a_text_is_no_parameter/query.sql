SELECT id,
       -- error: [quoted-placeholder]
       'order of << customer >>' AS title,
       -- error: [quoted-placeholder]
       E'it\'s << customer: text >>\n' AS escaped,
       -- error: [quoted-placeholder]
       '<< label >>' AS label,
       -- error: [quoted-placeholder]
       $$<< label >>$$ AS dollars,
       -- error: [quoted-placeholder]
       $tag$from << label >> to << other >>$tag$ AS tagged,
       -- error: [quoted-placeholder]
       '<< number >>-<< number >>'::text AS range
FROM orders
-- error: [quoted-placeholder]
WHERE note LIKE '%<< word >>%'
  -- error: [quoted-placeholder]
  AND status = '<< status >>'
  -- error: [quoted-placeholder]
  AND placed_at >= DATE '<< since >>'
  -- error: [quoted-placeholder]
  AND placed_at > now() - INTERVAL '<< n >> days'
  AND note <> 'a << b' AND note <> 'a >> b' AND note <> '<<>>' AND note <> '<< 1 >>' AND note <> '[[ x ]]'
