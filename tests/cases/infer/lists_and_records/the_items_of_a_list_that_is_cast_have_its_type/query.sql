-- calls: 1
SELECT CAST([<< one >>] AS INT[]) AS ones, [<< first >>, << last >>]::DATE[] AS days
