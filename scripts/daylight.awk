# The hours of daylight at a latitude (degrees), for some days from a first one on: CSV.
# The declination of the sun is that of a circular orbit: within a few minutes of an almanac below the polar circles.

function is_leap(year) {
    return year % 4 == 0 && year % 100 != 0 || year % 400 == 0
}

function day_of_year(year, month, day,    at, length_of, days) {
    split("31 28 31 30 31 30 31 31 30 31 30 31", length_of, " ")
    if (is_leap(year)) length_of[2] = 29
    days = day
    for (at = 1; at < month; at++) days += length_of[at]
    return days
}

function next_day(    length_of) {
    split("31 28 31 30 31 30 31 31 30 31 30 31", length_of, " ")
    if (is_leap(year)) length_of[2] = 29
    if (++day > length_of[month]) {
        day = 1
        if (++month > 12) {
            month = 1
            year++
        }
    }
}

function tan(angle) {
    return sin(angle) / cos(angle)
}

function acos(cosine) {
    return atan2(sqrt(1 - cosine * cosine), cosine)
}

BEGIN {
    pi = atan2(0, -1)
    split(first, parts, "-")
    year = parts[1] + 0
    month = parts[2] + 0
    day = parts[3] + 0
    print "date,hours"
    for (left = days; left > 0; left--) {
        declination = -23.44 * cos(2 * pi * (day_of_year(year, month, day) + 10) / 365)
        cosine = -tan(latitude * pi / 180) * tan(declination * pi / 180)
        if (cosine > 1) cosine = 1
        if (cosine < -1) cosine = -1
        printf "%04d-%02d-%02d,%.2f\n", year, month, day, 24 * acos(cosine) / pi
        next_day()
    }
}
