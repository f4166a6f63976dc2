-- warning: [large-definition]
SELECT status FROM listed
