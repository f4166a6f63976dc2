-- error: [syntax-error]
SELECT [x * 2 for x in [1, 2]] AS doubled
