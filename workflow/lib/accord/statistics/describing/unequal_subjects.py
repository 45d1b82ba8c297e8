"""Standard errors of means over images whose subjects have unequally many, and the degrees of freedom of these."""

import numpy as np

from accord.statistics.describing.bounded_mean import Subjects


def errors(of: Subjects, mean: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The standard error of each group's mean score, and its degrees of freedom: (k,), (k,). mean: (k,) these means.

    A subject with many images draws the mean to itself, so that its own distance from the mean says too little; and
    where few subjects have most images, the error is known by few distances, however many subjects there are. Bell and
    McCaffrey, Bias reduction in standard errors for linear regression with multi-stage samples, 2002: distances are
    divided by what the mean takes off them, and the degrees are Satterthwaite's, both as if subjects' means varied
    alike. Of equally many images this is Student's error, with n - 1. Needs two subjects in each group.
    """
    images = of.sums(of.images)
    share = of.images / images[of.group]
    squares = of.sums(share**2)
    left = 1 - 2 * share + squares[of.group]
    weight = share**2 / left
    apart = (of.total - of.images * mean[of.group]) / images[of.group]
    once, twice, thrice = (of.sums(weight * share**power) for power in (0, 1, 2))
    each = of.sums((weight * left) ** 2 - (weight * (squares[of.group] - 2 * share)) ** 2)
    others = (once * squares - 2 * twice) ** 2 + 2 * (once * thrice - twice**2)
    return np.sqrt(of.sums(apart**2 / left)), squares**2 / (each + others)
