import TenureCore
package import TenureHTTP

/// The request and response format of a dialect.
///
/// It's a value, so that a feature can define its own format.
package struct ResponseFormat: Sendable {
    /// The accepted types of bodies.
    package enum MediaTypes: Sendable {
        /// JSON with the content type `application/json` or without a content type.
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

    package var mediaTypes: MediaTypes
    package var unknownMembers: UnknownMembers
    /// Whether a missing body counts as an empty object.
    package var readsNoBodyAsEmpty = false
    /// Whether an empty text in a JSON body counts as an absent member. Otherwise, the text must be a valid value.
    package var readsEmptyAsAbsent = true
    /// The maximum body size in bytes if the endpoint doesn't set one; `nil` for the HTTP server's limit.
    package var longestBody: Int?
    /// Whether the body's length is checked before its content type.
    package var looksAtLengthFirst = false
    /// Headers of every response, including responses that the HTTP server sends before an endpoint runs.
    package var headers: Headers = [:]
    /// Request headers that are copied to the response if their value has 1 to 64 visible ASCII characters.
    package var echoes: [String] = []
    /// Whether failures are counted in the metric `tenure_refusals_total`.
    package var countsRefusals = true
    /// Returns the code of an error response. The metrics use the same code.
    package var code: @Sendable (Failure) -> String = { $0.code }
    /// The name of the log event for a server error.
    package var faultEvent = "request_failed"
    /// Whether a transient server error is logged as a warning instead of an error.
    package var isBusyOrdinary = false
    /// Returns the response to `OPTIONS` for a path with these methods, without ``headers``, which are added later.
    ///
    /// `nil` if `OPTIONS` isn't supported; such a request gets 405, like other unsupported methods.
    package var options: (@Sendable (_ methods: [String]) -> Response)?
    package var respond: @Sendable (Failure, RequestContext) -> Response

    /// Creates a format with default values.
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
        HeaderText.parameters(of: type).value
    }
}

/// A request, its path parameters and its caller.
package struct RequestContext: Sendable {
    package let request: Request
    package let path: PathParameters
    /// The authenticated caller; `nil` before authentication.
    package var caller: (any Sendable)?

    package init(request: Request, path: PathParameters) {
        self.request = request
        self.path = path
    }
}
