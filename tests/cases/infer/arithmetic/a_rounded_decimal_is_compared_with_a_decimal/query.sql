SELECT id
FROM types
WHERE round(amount, 1) = << rounded >> AND round(amount, << digits >>) = << also >>
