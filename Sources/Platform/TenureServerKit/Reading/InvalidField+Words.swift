import TenureFormats

extension InvalidField {
    /// The problem and how to correct it, for people.
    package var words: String {
        switch self {
        case .mediaType: "The body must be JSON. Send it with Content-Type: application/json."
        case .tooLong(let bytes): "The body is too long. Send at most \(bytes) bytes."
        case .json(let error): "The body is not valid JSON: \(error.message)"
        case .form: "The body is not a valid form. Send name=value&name=value."
        case .query: "The query can't be parsed. Send name=value&name=value."
        case .field(let fault): "\(fault.subject) \(fault.predicate)."
        }
    }
}

extension FieldFault {
    fileprivate var subject: String {
        location == .query ? "The query parameter \"\(name)\"" : "The field \"\(name)\""
    }

    fileprivate var predicate: String {
        switch flaw {
        case .missing: "is missing"
        case .invalid(let must): "must be \(must)"
        case .tooLong(let bytes): "is longer than \(bytes) bytes"
        case .unknown: "is unknown; leave it out"
        case .repeated: "is sent more than once; send it once"
        case .other(let words): words
        }
    }
}
