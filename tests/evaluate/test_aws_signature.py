"""Signature Version 4 against AWS's published test suite (aws-sig-v4-test-suite) and its documentation."""

from datetime import UTC, datetime

import pytest

from accord.models.aws_signature import Keys, Scope, signed

URL, NOW = "https://example.amazonaws.com/", datetime(2015, 8, 30, 12, 36, tzinfo=UTC)
SECRET, SCOPE = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", Scope("us-east-1", "service")
KEYS = Keys("AKIDEXAMPLE", SECRET)
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize(
    ("case", "method", "url", "headers", "body", "signature"),
    [
        ("get-vanilla", "GET", URL, {}, b"", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        ("post-vanilla", "POST", URL, {}, b"", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
        ("post-x-www-form-urlencoded", "POST", URL, FORM, b"Param1=value1",
         "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
        ("get-header-value-trim", "GET", URL, {"My-Header1": " value1", "My-Header2": ' "a   b   c"'}, b"",
         "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
        ("get-utf8", "GET", f"{URL}\u1234", {}, b"",
         "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"),
    ],
)  # fmt: skip
def test_a_signature_is_that_of_the_published_suite(case, method, url, headers, body, signature):
    made = signed(method, url, headers, body, KEYS, SCOPE, NOW)
    names = ";".join(sorted(["host", "x-amz-date", *(name.lower() for name in headers)]))
    assert made["X-Amz-Date"] == "20150830T123600Z"
    assert made["Authorization"] == (
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
        f"SignedHeaders={names}, Signature={signature}"
    )


def test_a_session_s_token_is_sent_and_signed_and_no_secret_is_told():
    made = signed("POST", URL, {}, b"", Keys("AKIDEXAMPLE", SECRET, "session"), SCOPE, NOW)
    assert made["X-Amz-Security-Token"] == "session" and "host;x-amz-date;x-amz-security-token" in made["Authorization"]
    assert SECRET not in str(made) and SECRET not in repr(KEYS) and SECRET not in f"{KEYS}"
