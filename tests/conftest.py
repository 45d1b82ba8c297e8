"""What holds for all tests: how long an example takes says how busy the machine is, nothing more."""

from hypothesis import HealthCheck, settings

settings.register_profile("accord", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("accord")
