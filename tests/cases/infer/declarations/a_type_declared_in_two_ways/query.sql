SELECT upper(<< x: text >>) AS a,
-- error: [conflicting-configuration]
  << x: json >> AS b
