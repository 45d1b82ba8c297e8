"""Derivatives and annotations of a shard."""

import io

import numpy as np
import pandas as pd
import pytest
from conftest import ALIGNED, IMAGES, LONGEST, Person, make_shard, picture
from PIL import Image

from accord import bundle, table
from accord.decode import decode
from accord.errors import AccordError
from accord.release.derived import MODELS
