import pytest
from hypothesis import given
from hypothesis import strategies as st

from accord.errors import AccordError
from accord.privacy.publishing import coarsen
from accord.privacy.tables import PublicImages

ALL = [name for name in PublicImages.to_schema().columns if name not in ("image", "subject")]


@pytest.mark.parametrize(
    ("day", "month"),
    [("2023-05-17", "May-2023"), ("1999-12", "December-1999"), ("2023-13-01", ""), ("", ""), ("17 May", ""),
     ("2024-02-29T10:11:12", "February-2024"), ("2023-00-10", "")],
)  # fmt: skip
def test_dates_become_months(day, month):
    assert coarsen.month_of(day) == month


@pytest.mark.parametrize(
    ("hour", "quarter"),
    [("00:00", "00:00-05:59"), ("05:59", "00:00-05:59"), ("06:00", "06:00-11:59"), ("12:00:01", "12:00-17:59"),
     ("18:00", "18:00-23:59"), ("23:59", "18:00-23:59"), ("12:00-17:59", "12:00-17:59"), ("24:00", ""), ("", ""),
     ("12:00-18:59", "")],
)  # fmt: skip
def test_hours_become_quarters(hour, quarter):
    assert coarsen.quarter_of(hour) == quarter


@given(st.datetimes())
def test_a_quarter_holds_its_hour_and_a_month_its_day(moment):
    start, end = coarsen.quarter_of(f"{moment:%H:%M}").split("-")
    assert start <= f"{moment:%H:%M}" <= end
    assert coarsen.month_of(moment.date().isoformat()) == f"{moment:%B}-{moment.year:04d}"


def test_nothing_private_is_left(images_table):
    public = coarsen.coarsened(images_table(), columns=ALL)
    assert public.iloc[0].to_dict() == {
        "image": "0123456789abcdef",
        "subject": "fedcba9876543210",
        "aperture_value": 1.8,
        "focal_length": 26.0,
        "iso_speed_ratings": 100.0,
        "shutter_speed_value": 6.0,
        "manufacturer": "Canon",
        "model": "EOS 5D",
        "location_country": "Netherlands (Kingdom of the)",
        "location_country_m49": 528,
        "location_region": "21. Western Europe",
        "user_date_captured": "May-2023",
        "user_hour_captured": "18:00-23:59",
    }
    told = public.to_csv()
    for secret in ("52.37", "Damrak", "18:31", "2023-05", "IMG_1", "acme", "Editor"):
        assert secret not in told


def test_a_column_off_the_list_is_emptied(images_table):
    public = coarsen.coarsened(images_table(), columns=["user_date_captured"])
    row = public.iloc[0]
    assert row["user_date_captured"] == "May-2023"
    assert row[["manufacturer", "model", "location_country", "location_region", "user_hour_captured"]].eq("").all()
    numbers = ["aperture_value", "focal_length", "iso_speed_ratings", "shutter_speed_value", "location_country_m49"]
    assert row[numbers].isna().all()


def test_what_has_no_public_column_cannot_be_asked_for(images_table):
    with pytest.raises(AccordError) as caught:
        coarsen.coarsened(images_table(), columns=["gps_latitude", "model", "software"])
    assert "'gps_latitude' can't be published" in str(caught.value)
    assert "'software' can't be published" in str(caught.value)
    assert "'model'" not in str(caught.value).split("hint")[0]


PERSON = "Jane Doe +49 170 1234567 jane.doe@mail.example"


@pytest.mark.parametrize(
    ("column", "text"),
    [
        ("manufacturer", "<script>alert(1)</script>"),
        ("manufacturer", "Jane Doe"),
        ("model", PERSON),
        ("model", "Jane Doe"),
        ("location_region", "Jane Doe, 12 Main Street"),
        ("location_region", "Bavaria <img src=x onerror=alert(1)>"),
        ("location_region", 'HYPERLINK("http://evil","x")'),
        ("location_region", "@jane_doe"),
    ],
)
def test_free_text_that_could_be_anything_is_emptied(images_table, column, text):
    images = images_table()
    images[column] = text
    public, others = coarsen.coarsened(images, columns=ALL), coarsen.coarsened(images_table(), columns=ALL)
    assert public[column].tolist() == [""]
    same = [name for name in public if name not in (column, "model")]
    assert public[same].equals(others[same])
