SELECT
    id,
    tokyo,
    berlin,
    tokyo = utc AS same,
    tokyo < berlin AS earlier,
    berlin - tokyo AS between_them,
    now() - tokyo > interval '1 day' AS is_past,
    CAST(tokyo AS date) AS day,
    CAST(berlin AS timestamp) AS clock,
    extract(hour FROM tokyo) AS hour,
    date_trunc('day', berlin) AS begins,
    date_trunc('day', tokyo) = << day: date >> AS on_the_day,
    tokyo >= << day >> AS since_the_day,
    tokyo >= << at >> AS since,
    tokyo + interval '1 day' AS next_day,
    greatest(tokyo, berlin, utc) AS latest,
    to_char(berlin, '%H:%M') AS shown,
    tokyo AT TIME ZONE 'Asia/Tokyo' AS there
FROM instants
ORDER BY id
