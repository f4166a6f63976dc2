SELECT -medium AS negative, -<< number: int >> AS of_a_value
FROM types
WHERE id = << id: smallint >>
