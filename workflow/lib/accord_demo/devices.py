"""Cameras and phones, and the EXIF that they write."""

from datetime import datetime
from typing import NamedTuple

import numpy as np

EXIF_IFD, GPS_IFD = 0x8769, 0x8825
MAKE, MODEL, ORIENTATION, SOFTWARE, DATE_TIME = 0x010F, 0x0110, 0x0112, 0x0131, 0x0132
EXPOSURE_TIME, F_NUMBER, ISO, DATE_TIME_ORIGINAL = 0x829A, 0x829D, 0x8827, 0x9003
SHUTTER_SPEED, APERTURE, FOCAL_LENGTH = 0x9201, 0x9202, 0x920A
GPS_LATITUDE_REF, GPS_LATITUDE, GPS_LONGITUDE_REF, GPS_LONGITUDE, GPS_DATE = 1, 2, 3, 4, 29


class Device(NamedTuple):
    """A device that exists: the year of its release, its f-number, focal length (mm) and firmware."""

    manufacturer: str
    model: str
    year: int
    f_number: float
    focal_length: float
    software: str


DEVICES = (
    Device("Apple", "iPhone 12", 2020, 1.6, 4.2, "18.6"),
    Device("Apple", "iPhone SE (2nd generation)", 2020, 1.8, 4.0, "18.5"),
    Device("Apple", "iPhone XR", 2018, 1.8, 4.25, "18.6"),
    Device("samsung", "SM-G973F", 2019, 2.4, 4.32, "G973FXXSGHWC1"),
    Device("samsung", "SM-A525F", 2021, 1.8, 5.23, "A525FXXS6EXC1"),
    Device("Google", "Pixel 4a", 2020, 1.7, 4.38, "HDR+ 1.0"),
    Device("Google", "Pixel 7", 2022, 1.85, 6.81, "HDR+ 1.0"),
    Device("Xiaomi", "Redmi Note 9", 2020, 1.8, 4.73, "MIUI 12"),
    Device("HUAWEI", "P30 lite", 2019, 1.8, 3.83, "MAR-LX1A"),
    Device("Canon", "Canon EOS 80D", 2016, 4.0, 35.0, "Firmware Version 1.0.3"),
    Device("NIKON CORPORATION", "NIKON D5600", 2016, 4.0, 35.0, "Ver.1.10"),
    Device("SONY", "ILCE-6000", 2014, 3.5, 30.0, "ILCE-6000 v3.21"),
)
OLD_DEVICES = (
    Device("Apple", "iPhone 3GS", 2009, 2.8, 3.85, "6.1.6"),
    Device("Canon", "Canon PowerShot G10", 2008, 2.8, 6.1, "Firmware Version 1.02"),
)
EXPOSURES = {"indoor": ((30, 60, 100), (400, 800, 1600)), "outdoor": ((250, 500, 1000), (50, 100, 200))}
"""Setting -> fractions of a second, and ISO speeds."""


def exif(
    device: Device, taken: datetime, latitude: float, longitude: float, setting: str, orientation: int, seed: int
) -> bytes:
    """The EXIF block of a picture: device, time, exposure and position, as the device would write it."""
    from PIL import Image
    from PIL.TiffImagePlugin import IFDRational

    rng = np.random.default_rng([seed, 202])
    fractions, speeds = EXPOSURES[setting]
    fraction = int(rng.choice(fractions))
    time = f"{taken:%Y:%m:%d %H:%M:%S}"
    block = Image.Exif()
    block[MAKE], block[MODEL], block[SOFTWARE] = device.manufacturer, device.model, device.software
    block[ORIENTATION], block[DATE_TIME] = orientation, time
    block.get_ifd(EXIF_IFD).update({
        EXPOSURE_TIME: IFDRational(1, fraction),
        F_NUMBER: IFDRational(round(device.f_number * 100), 100),
        ISO: int(rng.choice(speeds)),
        DATE_TIME_ORIGINAL: time,
        SHUTTER_SPEED: IFDRational(round(np.log2(fraction) * 1000), 1000),
        APERTURE: IFDRational(round(2 * np.log2(device.f_number) * 1000), 1000),
        FOCAL_LENGTH: IFDRational(round(device.focal_length * 100), 100),
    })  # fmt: skip
    block.get_ifd(GPS_IFD).update({
        GPS_LATITUDE_REF: "N" if latitude >= 0 else "S",
        GPS_LATITUDE: _degrees(abs(latitude)),
        GPS_LONGITUDE_REF: "E" if longitude >= 0 else "W",
        GPS_LONGITUDE: _degrees(abs(longitude)),
        GPS_DATE: f"{taken:%Y:%m:%d}",
    })  # fmt: skip
    return block.tobytes()


def _degrees(angle: float) -> tuple:
    """Degrees, minutes and seconds as rationals."""
    from PIL.TiffImagePlugin import IFDRational

    hundredths = round(angle * 360000)
    minutes, seconds = divmod(hundredths, 6000)
    return IFDRational(minutes // 60, 1), IFDRational(minutes % 60, 1), IFDRational(seconds, 100)
