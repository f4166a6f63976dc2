SELECT
  levenshtein(repeat(<< name: text >>, << times: int >>), 'abba') AS distance,
  levenshtein(repeat(<< other: text = 'a' >>, << times >>), repeat('b', << times >>)) AS long_distance,
  length(regexp_replace(repeat('ab', << times >>), << pattern: text >>, '', 'g')) AS kept,
  repeat('a', << times >>) ~ << pattern >> AS found
