"""Figures of detectors of made faces, and published ones, as tables of a few rows."""

REFERENCES = """dataset,figure,value,source
AI-Face,t4.skin.meo.xception,8.836,"AI-Face, Table 4"
AI-Face,t4.auc.xception,98.583,"AI-Face, Table 4"
AI-Face,d9.gender.meo.clip_mlp,0.506,"AI-Face, Table D.9"
AI-Face,d9.skin.meo.clip_mlp,0.419,"AI-Face, Table D.9"
FHIBE,t4.skin.dp.xception,5,"another"
"""


def fairness(model, attribute, metric, value, subset="all", degradation="none"):
    told = {"attribute": attribute, "metric": metric, "value": value, "low": 0.01, "high": 0.3, "floor": None}
    told |= {"covered": "a; b", "left_out": "", "note": ""}
    return told | {"model": model, "degradation": degradation, "subset": subset}


def utility(model, attribute, group, auc, faces=100, subset="all", degradation="none"):
    told = {"attribute": attribute, "group": group, "faces": faces, "fakes": faces // 2, "auc": auc, "accuracy": 0.9}
    told |= {"ap": 0.9, "eer": 0.1, "fpr": 0.1, "tpr": 0.9, "note": ""}
    return told | {"model": model, "degradation": degradation, "subset": subset, "unscored": 0}


def disparity(model, metric, attribute, worst="", best="", rates=(None, None), claimed=False, note=""):
    told = {"task": "fake_detection", "model": model, "metric": metric, "attribute": attribute, "worst": worst}
    told |= {"best": best, "worst_mean": rates[0], "best_mean": rates[1], "worst_median": None, "best_median": None}
    told |= {"worst_subjects": 12, "best_subjects": 14, "disparity": None, "low": None, "high": None, "p_value": 0.2}
    told |= dict.fromkeys(("difference", "difference_low", "difference_high"))
    told |= {"effect": None, "pairs": 3, "significant": claimed, "p_between_subjects": 0.0123 if claimed else 0.4}
    return told | {"subjects_compared": 26, "claimed": claimed, "note": note}


DISPARITIES = [
    disparity("mine", "false_positive_rate", "skin", "light", "dark", (0.6, 0.1), claimed=True),
    disparity("xception", "false_positive_rate", "skin", "light", "dark", (0.5, 0.25), claimed=True),
    disparity("xception", "false_negative_rate", "gender x skin", note="no pair of 3 differs significantly"),
]
FAIRNESS = [fairness("xception", "skin", "f_meo", 0.123456), fairness("xception", "skin", "f_meo", 0.2, subset="A")]
UTILITY = [
    utility("xception", "all", "all", 0.87654),
    utility("xception", "skin", "<b>dark</b>", 0.81234),
    utility("xception", "skin", "few", 0.55555, faces=8),
    utility("xception", "all", "all", 0.7, subset="A"),
    utility("xception", "all", "all", 0.64321, degradation="jpeg60"),
    utility("mine", "all", "all", 0.6),
]
