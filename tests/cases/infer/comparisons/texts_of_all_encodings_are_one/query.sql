-- calls: 1, 0
SELECT count(*) AS n
FROM types
WHERE label = << a >> AND arrow_cast(label, 'LargeUtf8') = << a >> AND arrow_cast(label, 'Utf8View') = << a >>
  AND arrow_cast(label, 'Dictionary(Int32, Utf8)') = << a >> AND upper(label) = << b >>
  AND arrow_cast(label, 'LargeUtf8') IN << c >>
