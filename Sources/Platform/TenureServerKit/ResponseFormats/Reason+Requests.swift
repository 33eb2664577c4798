public import TenureCore
import TenureStore

/// Reasons for rejecting a request before a decision.
///
/// The response has the reason's code and a more specific sentence.
extension Reason.Kind {
    /// The kinds that apply to every dialect.
    public static let requests: [Reason.Kind] =
        [
            Reason.Kind(
                "http_malformed", "The request isn't valid HTTP.", cure: "Send it with a standard HTTP client.",
                since: "0.1"),
            Reason.Kind(
                "http_version_unsupported", "The server speaks HTTP/1.1 and 1.0 only.",
                cure: "Use one of these versions, or put a reverse proxy in front that translates.", since: "0.1"),
            Reason.Kind(
                "http_rejected", "The server rejected the request before reading it.",
                cure: "Check the response's status code, then correct the request.",
                since: "0.1"),
            Reason.Kind(
                "request_timeout", "The request took too long to arrive.", cure: "Send the request again.", since: "0.1"
            ),
            Reason.Kind(
                "headers_too_large", "The request headers are too large.", cure: "Send fewer or shorter headers.",
                since: "0.1"),
            Reason.Kind(
                "body_too_large", "The body is too large for this endpoint.", cure: "Send a smaller body.", since: "0.1"
            ),
            Reason.Kind(
                "content_type_unsupported", "The endpoint doesn't accept this type of body.",
                cure: "Set Content-Type to a type that the endpoint accepts.", since: "0.1"),
            Reason.Kind(
                "content_coding_unsupported", "The server doesn't decode compressed bodies.",
                cure: "Send the body without Content-Encoding.", since: "0.2"),
            Reason.Kind(
                "route_unknown", "No endpoint has this path.", cure: "Check the path for typing errors.", since: "0.1"),
            Reason.Kind(
                "method_not_allowed", "This path doesn't support that method.",
                cure: "Use a method that the Allow header lists.",
                since: "0.1"),
            Reason.Kind(
                "not_found", "Nothing with that name exists here.", cure: "Check the names and ids in the path.",
                since: "0.1"),
            Reason.Kind(
                "tenant_unknown", "This server has no tenant with that name.",
                cure: "Check the tenant's name in the path.",
                since: "0.1"),
            Reason.Kind(
                "clock_in_doubt",
                "The server's clock can't be trusted right now, so it isn't issuing anything with a date.",
                cure: "Try again later. If you operate the server, run `tenure doctor`.", since: "0.2"),
            .storeRewound,
        ] + reading + operating

    /// The reason of a 503 response when the store has lost records, and the requested record may be one of them.
    package static let storeRewound = Reason.Kind(
        "store_rewound", "The server has lost recent changes, and what was asked about may be among them.",
        cure: "Try again later. If you operate the server, run `tenure doctor`.", since: "0.2")

    private static let reading: [Reason.Kind] = [
        Reason.Kind(
            "json_malformed", "The body isn't valid JSON.", cure: "Correct the JSON syntax (RFC 8259).",
            since: "0.1"),
        Reason.Kind(
            "json_duplicate_member", "An object in the body has two fields with the same name.",
            cure: "Send each field once.",
            since: "0.1"),
        Reason.Kind(
            "json_too_deep", "Arrays and objects in the body are nested too deeply.",
            cure: "Send fewer levels of nesting.",
            since: "0.1"),
        Reason.Kind(
            "json_not_utf8", "The body isn't valid UTF-8.", cure: "Encode the body as UTF-8.", since: "0.1"),
        Reason.Kind(
            "json_not_an_object", "The body is valid JSON, but it isn't an object.", cure: "Send a JSON object.",
            since: "0.1"),
        Reason.Kind(
            "form_malformed", "The body isn't a valid form.", cure: "Send it as name=value&name=value.", since: "0.1"),
        Reason.Kind(
            "query_malformed", "The query string isn't valid.", cure: "Write it as name=value&name=value.", since: "0.1"
        ),
        Reason.Kind(
            "field_missing", "A required field is missing.", cure: "Add the field that the response names.",
            since: "0.1"),
        Reason.Kind(
            "field_invalid", "A field has an invalid value.", cure: "Correct the field as the response describes.",
            since: "0.1"),
    ]

    private static let operating: [Reason.Kind] = [
        Reason.Kind(
            "token_invalid", "The token isn't valid here.", cure: "Send a valid token as Authorization: Bearer TOKEN.",
            since: "0.1"),
        Reason.Kind(
            "token_missing", "The request needs a token.", cure: "Send one as Authorization: Bearer TOKEN.",
            since: "0.1"),
        Reason.Kind(
            "token_unknown", "The tenant doesn't have this token.",
            cure:
                "Check that the token is complete and the tenant in the path is correct, or run `tenure token create`.",
            since: "0.2"),
        Reason.Kind(
            "token_expired", "The token has expired.", cure: "Request a new token from its issuer.", since: "0.1"),
        Reason.Kind(
            "token_revoked", "The token has been revoked.",
            cure: "Use another token, or create one with `tenure token create`.", since: "0.2"),
        Reason.Kind(
            "scope_missing", "The token lacks the scope that this request needs.",
            cure: "Use a token with that scope, or create one with `tenure token create --scope SCOPE`.", since: "0.1"),
        Reason.Kind(
            "idempotency_key_reused", "This Idempotency-Key was already used for a different request.",
            cure: "Use a new key for each request.", since: "0.1"),
        Reason.Kind(
            "in_use", "Other records still refer to what you want to remove.", cure: "Remove those records first.",
            since: "0.1"),
        Reason.Kind(
            "try_again", "The server is busy, or it received too many requests.",
            cure: "Wait for the time in the Retry-After header, then send the request again.", since: "0.1"),
        Reason.Kind(
            "server_fault", "Something went wrong on the server.",
            cure: "Try again later. If it keeps happening, ask the operator to check the server's log.", since: "0.1"),
    ]
}
