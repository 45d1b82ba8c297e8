"""Codes of errors of the services that models are asked at, as far as their documentation names them.

A server can send anything as a code, also what it was asked: only a code that is listed here is kept.
"""

OPENAI = frozenset({
    "invalid_request_error", "authentication_error", "permission_error", "not_found_error", "rate_limit_error",
    "rate_limit_exceeded", "insufficient_quota", "billing_hard_limit_reached", "server_error", "api_error",
    "internal_server_error", "service_unavailable", "overloaded_error", "engine_overloaded", "tokens", "requests",
    "invalid_api_key", "model_not_found", "context_length_exceeded", "string_above_max_length", "invalid_type",
    "invalid_value", "missing_required_parameter", "unknown_parameter", "unsupported_parameter", "unsupported_value",
    "invalid_prompt", "content_filter", "content_policy_violation", "moderation_blocked", "empty_image_file",
    "failed_to_download_image", "image_content_policy_violation", "image_file_not_found", "image_file_too_large",
    "image_parse_error", "image_too_large", "image_too_small", "invalid_base64_image", "invalid_image",
    "invalid_image_format", "invalid_image_mode", "invalid_image_url", "unsupported_image_media_type",
    # llama.cpp's and vLLM's own
    "exceed_context_size_error", "not_supported_error", "unavailable_error", "BadRequestError", "NotFoundError",
    "InternalServerError", "ServiceUnavailableError", "UnprocessableEntityError",
})  # fmt: skip
"""Of OpenAI's protocol: values of `code` and of `type`."""
REKOGNITION = frozenset({
    "AccessDeniedException", "ExpiredTokenException", "ImageTooLargeException", "IncompleteSignature",
    "InternalFailure", "InternalServerError", "InvalidImageFormatException", "InvalidParameterException",
    "InvalidSignatureException", "LimitExceededException", "MissingAuthenticationTokenException", "NotAuthorized",
    "OptInRequired", "ProvisionedThroughputExceededException", "RequestExpired", "SerializationException",
    "ServiceUnavailable", "ThrottlingException", "UnknownOperationException", "UnrecognizedClientException",
    "ValidationException",
})  # fmt: skip
"""Of Amazon Rekognition."""
FACEPP = frozenset({
    "API_NOT_FOUND", "AUTHENTICATION_ERROR", "AUTHORIZATION_ERROR", "BAD_ARGUMENTS", "COEXISTENCE_ARGUMENTS",
    "CONCURRENCY_LIMIT_EXCEEDED", "IMAGE_DOWNLOAD_TIMEOUT", "IMAGE_ERROR_UNSUPPORTED_FORMAT", "IMAGE_FILE_TOO_LARGE",
    "INSUFFICIENT_PERMISSION", "INTERNAL_ERROR", "INVALID_FACE_TOKEN", "INVALID_IMAGE_FACE", "INVALID_IMAGE_SIZE",
    "INVALID_IMAGE_URL", "INVALID_RECTANGLE", "MISSING_ARGUMENTS",
})  # fmt: skip
"""Of Face++."""
