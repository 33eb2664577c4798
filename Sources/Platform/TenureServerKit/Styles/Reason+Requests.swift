public import TenureCore
import TenureStore

/// Why a request is rejected before a decision.
///
/// The response has this code and its own sentence.
extension Reason.Kind {
    /// The kinds that apply to every dialect.
    public static let requests: [Reason.Kind] =
        [
            Reason.Kind(
                "http_malformed", "The request is not well-formed HTTP.", cure: "Use a common HTTP client.",
                since: "0.1"),
            Reason.Kind(
                "http_rejected", "The request was turned away before it was read.", cure: "See the status.",
                since: "0.1"),
            Reason.Kind(
                "request_timeout", "The request took too long to arrive.", cure: "Send it again.", since: "0.1"),
            Reason.Kind(
                "headers_too_large", "The header is larger than is read.", cure: "Send fewer or shorter fields.",
                since: "0.1"),
            Reason.Kind(
                "body_too_large", "The body is larger than the endpoint reads.", cure: "Send less.", since: "0.1"),
            Reason.Kind(
                "content_type_unsupported", "The body has a type that the endpoint does not read.",
                cure: "Name the type that it asks for.", since: "0.1"),
            Reason.Kind(
                "route_unknown", "There is nothing at this path.", cure: "Check the path.", since: "0.1"),
            Reason.Kind(
                "method_not_allowed", "This path does not answer to that method.", cure: "Use one that Allow names.",
                since: "0.1"),
            Reason.Kind(
                "not_found", "There is nothing of that name here.", cure: "Check the names in the path.", since: "0.1"),
            Reason.Kind(
                "tenant_unknown", "There is no such tenant on this server.", cure: "Check the first name in the path.",
                since: "0.1"),
            Reason.Kind(
                "clock_in_doubt", "The server does not know what time it is, and gives nothing that has a date.",
                cure: "Try again later; the operator sees what to do in `tenure doctor`.", since: "0.2"),
        ] + reading + operating

    private static let reading: [Reason.Kind] = [
        Reason.Kind(
            "json_malformed", "The body breaks the grammar of JSON.", cure: "Send JSON as RFC 8259 has it.",
            since: "0.1"),
        Reason.Kind(
            "json_duplicate_member", "An object in the body has two members of one name.", cure: "Send each once.",
            since: "0.1"),
        Reason.Kind(
            "json_too_deep", "Arrays and objects in the body are nested too deep.", cure: "Nest them less.",
            since: "0.1"),
        Reason.Kind(
            "json_not_utf8", "The body is not UTF-8.", cure: "Send UTF-8.", since: "0.1"),
        Reason.Kind(
            "json_not_an_object", "The body is JSON, but not an object.", cure: "Send an object.", since: "0.1"),
        Reason.Kind(
            "form_malformed", "The body is no form.", cure: "Send name=value&name=value.", since: "0.1"),
        Reason.Kind(
            "query_malformed", "The query cannot be read.", cure: "Send name=value&name=value.", since: "0.1"),
        Reason.Kind(
            "field_missing", "A member that has to be there is missing.", cure: "Send it; the answer names it.",
            since: "0.1"),
        Reason.Kind(
            "field_invalid", "A member is not what it must be.", cure: "Correct it; the answer says how.",
            since: "0.1"),
    ]

    private static let operating: [Reason.Kind] = [
        Reason.Kind(
            "token_invalid", "The token does not work here.", cure: "Send a working token as Authorization: Bearer.",
            since: "0.1"),
        Reason.Kind(
            "token_missing", "The request needs a token.", cure: "Send it as Authorization: Bearer TOKEN.",
            since: "0.1"),
        Reason.Kind(
            "token_unknown", "The tenant has no such token.",
            cure: "Check that it is whole, and that the path names its tenant; or have one made.", since: "0.2"),
        Reason.Kind(
            "token_expired", "The token has ended.", cure: "Get a new one from whoever gave it.", since: "0.1"),
        Reason.Kind(
            "token_revoked", "The token was revoked.", cure: "Use another one, or have one made.", since: "0.2"),
        Reason.Kind(
            "scope_missing", "The token has not the scope that the request needs.",
            cure: "Use a token with the scope, or have one made.", since: "0.1"),
        Reason.Kind(
            "idempotency_key_reused", "The Idempotency-Key came with another request before.",
            cure: "Take a new key for each request.", since: "0.1"),
        Reason.Kind(
            "in_use", "What was to be removed is named by others.", cure: "Remove those first.", since: "0.1"),
        Reason.Kind(
            "try_again", "The server is busy, or somebody asked too often.",
            cure: "Send the request again after Retry-After.", since: "0.1"),
        Reason.Kind(
            "server_fault", "The server failed.", cure: "Ask the operator, whose log says why.", since: "0.1"),
    ]
}
