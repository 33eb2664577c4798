import TenureCore
import TenureFormats
import TenureHTTP
import TenureHTTPClient

/// A request and its response as recorded, without the request's secrets.
struct RecordedExchange: Sendable {
    /// The kind of the request.
    let question: ConformanceQuestion
    /// The request's method and URL. Header fields and bodies contain secrets, so they aren't recorded.
    let sent: String
    /// The response, with at most ``ConformanceQuestion/limit`` bytes of its body; `nil` if there was no response.
    let response: Response?
    /// Whether the body was longer than the recorded part.
    let isCut: Bool
    /// Why there is no response; `nil` if there is one.
    let failure: TransportError?

    /// The body as JSON; `nil` if it isn't JSON, or for responses about packages, which have their own parser.
    let json: JSONValue?

    init(
        _ question: ConformanceQuestion, sent: String, response: Response?, isCut: Bool = false,
        failure: TransportError? = nil
    ) {
        self.question = question
        self.sent = sent
        self.response = response
        self.isCut = isCut
        self.failure = failure
        json = question.isPackage ? nil : response.flatMap { try? JSONValue(parsing: $0.body.bytes) }
    }

    var status: Int? { response?.status }

    /// Whether the response has status 200, so that its content can be checked.
    var isDone: Bool { status == 200 }

    var isRedirect: Bool { status.map { (300...399).contains($0) && $0 != 304 } ?? false }

    /// Why checks of the content are skipped: there was no response, or its status isn't 200.
    var whyNothing: String {
        if let failure { return "there was no response: \(failure.message)" }
        return "the response had status \(status.map(String.init) ?? "none")"
    }

    /// The media type without parameters, in lower case.
    var mediaType: String {
        let field = response?.headers["Content-Type"] ?? ""
        return HeaderText.parameters(of: field).value
    }

    /// A summary of the response in one line.
    var received: String {
        guard let response else { return failure.map { "no response: \($0.message)" } ?? "nothing" }
        let size = isCut ? "more than \(response.body.bytes.count)" : String(response.body.bytes.count)
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

    /// The value as an Apple id, which may be written as a string or as a number; `nil` if the value is neither.
    var number: UInt64? {
        switch self {
        case .string(let text): UInt64(text)
        case .integer(let number): UInt64(exactly: number)
        case .number(let number): UInt64(exactly: number)
        default: nil
        }
    }
}
