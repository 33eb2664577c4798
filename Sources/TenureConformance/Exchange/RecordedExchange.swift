import TenureFormats
package import TenureHTTPClient

/// One question and what came back, as it is recorded: nothing secret of what was sent.
package struct RecordedExchange: Sendable {
    /// What was asked.
    package let question: ConformanceQuestion
    /// Method and address; header fields and bodies hold secrets and are not kept.
    package let sent: String
    /// What came back, its body no longer than the question allows; nil without an answer.
    package let response: HTTPResponse?
    /// Whether the body went on beyond what was taken.
    package let isCut: Bool
    /// Why there is no answer.
    package let failure: TransportError?

    /// The body as JSON, read once; nil where it is none, and for a manifest, which has a reader of its own.
    let json: JSONValue?

    init(
        _ question: ConformanceQuestion, sent: String, response: HTTPResponse?, isCut: Bool = false,
        failure: TransportError? = nil
    ) {
        self.question = question
        self.sent = sent
        self.response = response
        self.isCut = isCut
        self.failure = failure
        json = question.isPackage ? nil : response.flatMap { try? JSONValue(parsing: $0.body) }
    }

    var status: Int? { response?.status }

    /// Whether there is an answer with status 200, so that what is in it can be looked at.
    var isDone: Bool { status == 200 }

    var isRedirect: Bool { status.map { (300...399).contains($0) && $0 != 304 } ?? false }

    /// Why there is nothing to look at.
    var whyNothing: String {
        if let failure { return "there was no answer: \(failure.message)" }
        return "the question was answered \(status.map(String.init) ?? "not at all")"
    }

    /// The media type without its parameters, in lower case.
    var mediaType: String {
        let field = response?.fields["Content-Type"] ?? ""
        return field.prefix { $0 != ";" }.filter { $0 != " " }.lowercased()
    }

    /// What came back, in a line.
    package var received: String {
        guard let response else { return failure.map { "no answer: \($0.message)" } ?? "nothing" }
        let size = isCut ? "more than \(response.body.count)" : String(response.body.count)
        return "\(response.status)\(mediaType.isEmpty ? "" : " \(mediaType.bounded)"), \(size) bytes"
    }
}

extension JSONValue {
    subscript(_ name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    var text: String? { if case .string(let text) = self { text } else { nil } }

    var list: [JSONValue]? { if case .array(let list) = self { list } else { nil } }

    var whole: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// A number of Apple's, written as a text or as a number.
    var number: UInt64? {
        switch self {
        case .string(let text): UInt64(text)
        case .integer(let number): UInt64(exactly: number)
        case .number(let number): UInt64(exactly: number)
        default: nil
        }
    }
}
