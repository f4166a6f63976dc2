SELECT CAST(amount AS text) AS amount FROM types
