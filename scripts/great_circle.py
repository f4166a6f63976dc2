"""Distances on the sphere."""

from dataclasses import dataclass
from math import asin, atan2, cos, degrees, radians, sin, sqrt

# The mean radius of the earth in statute miles, which the distances of flights are in (IUGG: 6371.0088 km).
RADIUS = 6371.0088 / 1.609344


@dataclass
class Course:
    """A way along a great circle."""

    miles: float
    bearing: float


def course(from_lat: float, from_lon: float, to_lat: float, to_lon: float) -> Course:
    """The shortest way between two places, and where it sets out to."""
    a, b, c, d = map(radians, (from_lat, from_lon, to_lat, to_lon))
    half = sin((c - a) / 2) ** 2 + cos(a) * cos(c) * sin((d - b) / 2) ** 2
    east = sin(d - b) * cos(c)
    north = cos(a) * sin(c) - sin(a) * cos(c) * cos(d - b)
    return Course(round(2 * RADIUS * asin(sqrt(half)), 1), round(degrees(atan2(east, north)) % 360, 1))
