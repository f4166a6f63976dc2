-- error: [invalid-query]
SELECT amount FROM types WHERE amount > ALL (SELECT clock FROM types)
