package import TenureCore
import TenureFormats
package import TenureHTTP

extension Style {
    /// Problems of RFC 9457 with `code` and `reasons`, in JSON whose members must all be known.
    package static let problem: Style = {
        var style = Style.problems(by: .operators)
        style.unknownMembers = .refused
        style.readsNoBodyAsEmpty = true
        style.readsEmptyAsAbsent = false
        style.countsRefusals = false
        return style
    }()

    /// The same for what anybody may ask, with whatever beside it.
    package static let openProblem: Style = {
        var style = Style.problem
        style.unknownMembers = .ignored
        return style
    }()

    /// Problems in words of a dialect's own.
    package static func problems(by words: ProblemWords) -> Style {
        var style = Style { failure, _ in failure.problem(by: words) }
        style.code = { words.code($0) }
        return style
    }
}

/// The words of a style that answers with problems: one table for the statuses of the law's no, one for the titles.
package struct ProblemWords: Sendable {
    /// The status of the law's no, by its first reason.
    package let status: @Sendable (Reason.Kind) -> Int
    /// A status in a few words.
    package let title: @Sendable (Int) -> String
    /// The status of a member that is not what it must be.
    package let fieldStatus: Int
    /// What is said of a request that cannot be read; without a title it is that of its status, without a
    /// code its own.
    package let words: @Sendable (Unreadable) -> (code: String?, title: String?, detail: String)
    /// What is said when the server is busy, and when it failed.
    package let busy, broken: String
    /// Whether an answer to a request that did not get as far as the law has a reason, with what would help.
    package let tellsCures: Bool

    /// Makes the tables.
    package init(
        status: @escaping @Sendable (Reason.Kind) -> Int, title: @escaping @Sendable (Int) -> String,
        fieldStatus: Int = 422, busy: String = "Try again in a moment.",
        broken: String = "The operator's log says why.", tellsCures: Bool = false,
        words: @escaping @Sendable (Unreadable) -> (code: String?, title: String?, detail: String)
    ) {
        self.status = status
        self.title = title
        self.fieldStatus = fieldStatus
        self.words = words
        self.tellsCures = tellsCures
        self.busy = busy
        self.broken = broken
    }

    /// The code that is told of a no.
    fileprivate func code(_ failure: Failure) -> String {
        switch failure.kind {
        case .unreadable(let unreadable) where unreadable.isInPath: "not_found"
        case .unreadable(let unreadable): words(unreadable).code ?? failure.code
        case .refused, .turnedAway, .broken: failure.code
        }
    }

    /// The operator API's: 404 for what does not exist, 409 for what cannot be in this state.
    package static let operators = ProblemWords(
        status: { $0 == .licenseUnknown ? 404 : 409 },
        title: { status in
            switch status {
            case 401: "Unauthorized"
            case 403: "Forbidden"
            case 404: "Not found"
            case 409: "Refused"
            case 413: "Too long"
            case 415: "Unsupported media type"
            case 429: "Too many"
            case 500: "The server failed"
            case 503: "Busy"
            default: "The request cannot be read"
            }
        }, tellsCures: true
    ) { unreadable in
        switch unreadable {
        case .mediaType: (nil, nil, "Send JSON, with Content-Type: application/json.")
        case .tooLong(let bytes): (nil, nil, "Send at most \(bytes) bytes.")
        case .json(let error): (nil, "The body is not JSON", error.message)
        case .form: (nil, "The body is not a form", unreadable.words)
        case .query: (nil, "The query cannot be read", unreadable.words)
        case .field(let fault) where fault.isMissing: (nil, "A member is missing", "\(fault.name) is missing")
        case .field(let fault): (nil, nil, "\(fault.name): \(fault.words)")
        }
    }
}

extension Failure {
    /// The answer as a problem.
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
                detail: "There is nothing of that name here.", kind: kind(by: words))
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

    /// What is declared of the code, where the words tell cures.
    private func kind(by words: ProblemWords) -> Reason.Kind? {
        guard words.tellsCures else { return nil }
        if case .turnedAway(let away) = kind { return away.kind }
        let code = words.code(self)
        return Reason.Kind.requests.first { $0.text == code }
    }
}

extension Unreadable {
    /// Whether what cannot be read stands in the path: then there is nothing of that name.
    fileprivate var isInPath: Bool {
        if case .field(let fault) = self { fault.place == .path } else { false }
    }

    /// The status; a dialect says which one a member that is not what it must be gets. A header field that is not is
    /// no well-formed request anywhere.
    package func status(ofField fieldStatus: Int) -> Int {
        switch self {
        case .field(let fault) where fault.place == .header: 400
        case .mediaType: 415
        case .tooLong: 413
        case .json, .form, .query: 400
        case .field: fieldStatus
        }
    }
}
