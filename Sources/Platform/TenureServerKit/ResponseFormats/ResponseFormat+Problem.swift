package import TenureCore
import TenureFormats
package import TenureHTTP

extension ResponseFormat {
    /// The format of the operator API. Errors are RFC 9457 problems with `code` and `reasons`. Requests are JSON, and
    /// unknown members are rejected.
    package static let problem: ResponseFormat = {
        var format = ResponseFormat.problems(by: .operators)
        format.unknownMembers = .refused
        format.readsNoBodyAsEmpty = true
        format.readsEmptyAsAbsent = false
        format.countsRefusals = false
        // Responses contain keys, links, tokens and names of people, so intermediate caches must not store them.
        format.headers = ["Cache-Control": "no-store"]
        return format
    }()

    /// Like ``problem``, but unknown members are ignored. Public endpoints use this format.
    package static let openProblem: ResponseFormat = {
        var format = ResponseFormat.problem
        format.unknownMembers = .ignored
        format.headers = [:]
        return format
    }()

    /// A format whose errors are RFC 9457 problems with the statuses and texts of a dialect.
    package static func problems(by words: ProblemWords) -> ResponseFormat {
        var format = ResponseFormat { failure, context in
            // An operator acts for the vendor, so the remedy can't be to ask the vendor.
            guard words.tellsCures, (context.caller as? any TenantCaller)?.actor.kind == .operator else {
                return failure.problem(by: words)
            }
            return failure.forVendor(of: context.path["license"]).problem(by: words)
        }
        format.code = { words.code($0) }
        return format
    }
}

/// The statuses and texts of a format whose errors are problems.
package struct ProblemWords: Sendable {
    /// Returns the status of a refusal, given its first reason.
    package let status: @Sendable (Reason.Kind) -> Int
    /// Returns the title of a status.
    package let title: @Sendable (Int) -> String
    /// The status for a missing or invalid member.
    package let fieldStatus: Int
    /// Returns the texts for a request that can't be decoded.
    ///
    /// If the title is `nil`, the status's title is used. If the code is `nil`, the error's own code is used.
    package let words: @Sendable (InvalidField) -> (code: String?, title: String?, detail: String)
    /// The details for a busy server (503) and for a server error (500).
    package let busy, broken: String
    /// Whether errors other than refusals also include a reason with its remedy.
    package let tellsCures: Bool

    package init(
        status: @escaping @Sendable (Reason.Kind) -> Int, title: @escaping @Sendable (Int) -> String,
        fieldStatus: Int = 422, busy: String = "Try again in a moment.",
        broken: String = "The server failed. Its log says why; ask the operator.", tellsCures: Bool = false,
        words: @escaping @Sendable (InvalidField) -> (code: String?, title: String?, detail: String)
    ) {
        self.status = status
        self.title = title
        self.fieldStatus = fieldStatus
        self.words = words
        self.tellsCures = tellsCures
        self.busy = busy
        self.broken = broken
    }

    fileprivate func code(_ failure: Failure) -> String {
        switch failure.kind {
        case .unreadable(let unreadable) where unreadable.isInPath: "not_found"
        case .unreadable(let unreadable): words(unreadable).code ?? failure.code
        case .refused, .turnedAway, .broken: failure.code
        }
    }

    /// The statuses and texts of the operator API: 404 for an unknown license, and 409 for any other refusal.
    package static let operators = ProblemWords(
        status: { $0 == .licenseUnknown ? 404 : 409 },
        title: { status in
            switch status {
            case 401: "Unauthorized"
            case 403: "Forbidden"
            case 404: "Not found"
            case 409: "Refused"
            case 413: "Body too long"
            case 415: "Unsupported media type"
            case 429: "Too many requests"
            case 500: "Server error"
            case 503: "Server busy"
            default: "Invalid request"
            }
        }, tellsCures: true
    ) { unreadable in
        switch unreadable {
        case .mediaType: (nil, nil, "The body must be JSON. Send it with Content-Type: application/json.")
        case .tooLong(let bytes): (nil, nil, "The body is too long. Send at most \(bytes) bytes.")
        case .json(let error): (nil, "Invalid JSON", error.message)
        case .form: (nil, "Invalid form", unreadable.words)
        case .query: (nil, "Invalid query", unreadable.words)
        case .field(let fault) where fault.isMissing: (nil, "Missing field", "\(fault.name) is missing")
        case .field(let fault): (nil, nil, "\(fault.name): \(fault.words)")
        }
    }
}

extension Failure {
    /// The response to the failure, as an RFC 9457 problem.
    package func problem(by words: ProblemWords) -> Response {
        let details = details(by: words)
        var headers = headers
        headers.add("Content-Type", ProblemDetails.mediaType)
        let body = JSONWriter.object { object in
            leading?(&object)
            details.write(into: &object)
            trailing?(&object)
        }
        return Response(status: details.status, headers: headers, body: body)
    }

    private func details(by words: ProblemWords) -> ProblemDetails {
        switch kind {
        case .refused(let refusal):
            let status = status ?? words.status(refusal.first.code)
            return ProblemDetails(status: status, title: words.title(status), refusal: refusal)
        case .unreadable(let unreadable) where unreadable.isInPath:
            return ProblemDetails(
                status: 404, title: words.title(404), code: words.code(self),
                detail: "Nothing was found with this name. Check the names in the path.", kind: kind(by: words))
        case .unreadable(let unreadable):
            let status = unreadable.status(ofField: words.fieldStatus)
            let (_, title, detail) = words.words(unreadable)
            return ProblemDetails(
                status: status, title: title ?? words.title(status), code: words.code(self), detail: detail,
                kind: kind(by: words))
        case .turnedAway(let away):
            return ProblemDetails(
                status: away.status, title: away.title ?? words.title(away.status), code: away.code,
                detail: away.sentence, kind: kind(by: words))
        case .broken(let error) where error.isTransient:
            return ProblemDetails(
                status: 503, title: words.title(503), code: "try_again", detail: words.busy,
                kind: kind(by: words))
        case .broken:
            return ProblemDetails(
                status: 500, title: words.title(500), code: "server_fault", detail: words.broken,
                kind: kind(by: words))
        }
    }

    /// The code's declaration; `nil` if the code isn't declared or the format doesn't include remedies.
    private func kind(by words: ProblemWords) -> Reason.Kind? {
        guard words.tellsCures else { return nil }
        if case .turnedAway(let away) = kind { return away.kind }
        let code = words.code(self)
        return Reason.Kind.requests.first { $0.text == code }
    }
}

extension InvalidField {
    /// Whether the error is in a path parameter. No record can have such a path, so the status is 404.
    fileprivate var isInPath: Bool {
        if case .field(let fault) = self { fault.location == .path } else { false }
    }

    /// Returns the status: `fieldStatus` for a missing or invalid member, but 400 if the member is a header.
    package func status(ofField fieldStatus: Int) -> Int {
        switch self {
        case .field(let fault) where fault.location == .header: 400
        case .mediaType: 415
        case .tooLong: 413
        case .json, .form, .query: 400
        case .field: fieldStatus
        }
    }
}
