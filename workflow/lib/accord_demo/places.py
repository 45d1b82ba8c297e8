"""Places where the demo's pictures are said to be taken: a city of each country, named as UN M49 names it."""

from typing import NamedTuple


class Place(NamedTuple):
    """A city. latitude and longitude in degrees, north and east positive, rounded to about 1 km."""

    country: str
    region: str
    latitude: float
    longitude: float


PLACES = (
    Place("Argentina", "Buenos Aires", -34.60, -58.38),
    Place("Australia", "Victoria", -37.81, 144.96),
    Place("Bangladesh", "Dhaka", 23.81, 90.41),
    Place("Brazil", "São Paulo", -23.55, -46.63),
    Place("Canada", "Ontario", 43.65, -79.38),
    Place("Colombia", "Antioquia", 6.24, -75.58),
    Place("Egypt", "Cairo", 30.04, 31.24),
    Place("France", "Rhône", 45.76, 4.84),
    Place("Germany", "Berlin", 52.52, 13.40),
    Place("Ghana", "Greater Accra", 5.60, -0.19),
    Place("India", "Karnataka", 12.97, 77.59),
    Place("Indonesia", "Jakarta", -6.21, 106.85),
    Place("Japan", "Osaka", 34.69, 135.50),
    Place("Kenya", "Nairobi", -1.29, 36.82),
    Place("Mexico", "Jalisco", 20.67, -103.35),
    Place("Morocco", "Casablanca-Settat", 33.57, -7.59),
    Place("New Zealand", "Auckland", -36.85, 174.76),
    Place("Nigeria", "Lagos", 6.52, 3.38),
    Place("Philippines", "Metro Manila", 14.60, 120.98),
    Place("Poland", "Mazovia", 52.23, 21.01),
    Place("Samoa", "Tuamasaga", -13.83, -171.77),
    Place("South Africa", "Gauteng", -26.20, 28.05),
    Place("Spain", "Valencia", 39.47, -0.38),
    Place("Thailand", "Bangkok", 13.76, 100.50),
    Place("Viet Nam", "Hà Nội", 21.03, 105.85),
)
