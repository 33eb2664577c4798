package import TenureHTTP

/// The request and response format of a dialect.
///
/// It's a value, so a feature can define its own.
package struct ResponseFormat: Sendable {
    /// The accepted types of bodies.
    package enum MediaTypes: Sendable {
        /// JSON, with its content type or without one.
        case json
        /// JSON with any content type.
        case jsonByAnyName
        /// A URL-encoded form.
        case form
    }

    /// How to treat unknown members.
    package enum UnknownMembers: Sendable {
        case ignored, refused
    }

    /// The accepted types of bodies.
    package var mediaTypes: MediaTypes
    /// How to treat unknown members.
    package var unknownMembers: UnknownMembers
    /// Whether a missing body counts as an empty object.
    package var readsNoBodyAsEmpty = false
    /// Whether an empty text counts as an absent member.
    ///
    /// Otherwise it must be a valid value.
    package var readsEmptyAsAbsent = true
    /// The maximum body size in bytes, unless the endpoint sets one; `nil` for the server's limit.
    package var longestBody: Int?
    /// Whether the body's length is checked before its content type.
    package var looksAtLengthFirst = false
    /// Headers of every response, including those that the server sends before an endpoint runs.
    package var headers: Headers = [:]
    /// Request headers that are copied to the response, if their values have 1 to 64 visible ASCII characters.
    package var echoes: [String] = []
    /// Whether refusals count in `tenure_refusals_total`.
    package var countsRefusals = true
    /// The code in an error response; the metrics use it too.
    package var code: @Sendable (Failure) -> String = { $0.code }
    /// The log event for a server error.
    package var faultEvent = "request_failed"
    /// Whether a transient error is only logged as a warning.
    package var isBusyOrdinary = false
    /// The response to `OPTIONS` for a path with these methods, to which ``headers`` are added.
    ///
    /// `nil` for 405, as with any other unsupported method.
    package var options: (@Sendable (_ methods: [String]) -> Response)?
    /// Creates the response to a failure.
    package var respond: @Sendable (Failure, RequestContext) -> Response

    /// Creates a format with the usual defaults.
    package init(
        mediaTypes: MediaTypes = .json, unknownMembers: UnknownMembers = .ignored,
        respond: @escaping @Sendable (Failure, RequestContext) -> Response
    ) {
        self.mediaTypes = mediaTypes
        self.unknownMembers = unknownMembers
        self.respond = respond
    }

    /// Whether a body with this content type is accepted.
    func reads(_ type: String?) -> Bool {
        switch mediaTypes {
        case .jsonByAnyName: true
        case .json: type.map { $0 == "application/json" || Self.essence($0) == "application/json" } ?? true
        case .form: type.map { Self.essence($0) == "application/x-www-form-urlencoded" } ?? false
        }
    }

    private static func essence(_ type: String) -> String {
        type.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    }
}

/// The request that a failure is about, and its caller if it was authenticated.
package struct RequestContext: Sendable {
    package let request: Request
    package let path: PathParameters
    /// The authenticated caller; `nil` before authentication.
    package var caller: (any Sendable)?
}
