import TenureFormats

extension Unreadable {
    /// What is wrong and what to do, in a sentence for people.
    package var words: String {
        switch self {
        case .mediaType: "Send JSON, with Content-Type: application/json."
        case .tooLong(let bytes): "Send at most \(bytes) bytes."
        case .json(let error): "The body is not the JSON it should be: \(error.message)"
        case .form: "The body is not the form it should be."
        case .query: "The query is not name=value&name=value."
        case .field(let fault): "\(fault.subject) \(fault.predicate)."
        }
    }
}

extension FieldFault {
    fileprivate var subject: String {
        place == .query ? "The query's \"\(name)\"" : "The field \"\(name)\""
    }

    fileprivate var predicate: String {
        switch flaw {
        case .missing: "is missing"
        case .invalid(let must): "must be \(must)"
        case .tooLong(let bytes): "is longer than \(bytes) bytes"
        case .unknown: "is not known"
        case .other(let words): words
        }
    }
}
