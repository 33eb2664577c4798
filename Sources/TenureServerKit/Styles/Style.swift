package import TenureHTTP

/// How a dialect speaks: what it reads, and how a no becomes an answer. A value, so that a room may bring its own.
package struct Style: Sendable {
    /// Which bodies are read.
    package enum MediaTypes: Sendable {
        /// JSON, named or unnamed.
        case json
        /// JSON, whatever it is called.
        case jsonByAnyName
        /// A form.
        case form
    }

    /// What becomes of members that nobody asks for.
    package enum UnknownMembers: Sendable {
        case ignored, refused
    }

    /// Which bodies are read.
    package var mediaTypes: MediaTypes
    /// What becomes of members that nobody asks for.
    package var unknownMembers: UnknownMembers
    /// Whether no body at all counts as an object without members.
    package var readsNoBodyAsEmpty = false
    /// Whether an empty text counts as an absent member; else it must have the member's shape.
    package var readsEmptyAsAbsent = true
    /// Bytes in the longest body, where the endpoint does not say; nil for what the server takes.
    package var longestBody: Int?
    /// Whether a body that is too long is told so whatever its type is.
    package var looksAtLengthFirst = false
    /// Fields of every answer, those that the server gives before an endpoint is asked included.
    package var headers: Headers = [:]
    /// Names of fields that are sent back as they came, if they are 1 to 64 visible ASCII characters.
    package var echoes: [String] = []
    /// Whether each no counts in `tenure_refusals_total`.
    package var countsRefusals = true
    /// The code that an answer tells of a no, by which it counts too.
    package var code: @Sendable (Failure) -> String = { $0.code }
    /// What a failure of the server is called in the log.
    package var faultEvent = "request_failed"
    /// Whether a server that is busy is nothing to look at now.
    package var isBusyOrdinary = false
    /// What `OPTIONS` gets where the path answers these methods, ``headers`` beside it; nil for 405, as any other
    /// method that the path does not answer.
    package var options: (@Sendable (_ methods: [String]) -> Response)?
    /// Makes an answer of a no.
    package var respond: @Sendable (Failure, Scene) -> Response

    /// Makes a style; what is left out is as most dialects have it.
    package init(
        mediaTypes: MediaTypes = .json, unknownMembers: UnknownMembers = .ignored,
        respond: @escaping @Sendable (Failure, Scene) -> Response
    ) {
        self.mediaTypes = mediaTypes
        self.unknownMembers = unknownMembers
        self.respond = respond
    }

    /// Whether a body of this type is read.
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

/// What a no is about: the request, and the place that it was let into, if it was.
package struct Scene: Sendable {
    /// The request.
    package let request: Request
    /// The parameters of its path.
    package let path: PathParameters
    /// What admission found; nil where it found nothing.
    package var place: (any Sendable)?
}
