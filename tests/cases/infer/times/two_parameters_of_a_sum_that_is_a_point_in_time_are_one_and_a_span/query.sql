SELECT id
FROM types
WHERE day > << start >> - << before >>
  AND moment < << from_moment >> + << span >>
  AND INTERVAL '1 day' < << later >> - << earlier >>
