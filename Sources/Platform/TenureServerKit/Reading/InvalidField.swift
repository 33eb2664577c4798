package import TenureFormats

/// The reason why a request can't be decoded.
package enum InvalidField: Sendable {
    /// The body has a content type that the format doesn't accept.
    case mediaType
    /// The body is longer than this number of bytes.
    case tooLong(Int)
    /// The body isn't valid JSON.
    case json(JSONError)
    /// The body isn't a valid form.
    case form
    /// The query doesn't have the format `name=value&name=value`.
    case query
    /// A member is missing or invalid.
    case field(FieldFault)

    /// The stable error code.
    package var code: String {
        switch self {
        case .mediaType: "content_type_unsupported"
        case .tooLong: "body_too_large"
        case .json(let error): "json_\(error.code)"
        case .form: "form_malformed"
        case .query: "query_malformed"
        case .field(let fault): fault.isMissing ? "field_missing" : "field_invalid"
        }
    }
}

/// An error in a member of a request.
package struct FieldFault: Sendable {
    /// A part of a request.
    package enum Location: String, Sendable {
        case body, query, path, header
    }

    /// The problem with a member.
    package enum Flaw: Sendable {
        /// The member is missing. `must` is the requirement on its value, which follows the words "must be".
        case missing(must: String)
        /// The value is invalid. `must` is the requirement on it, which follows the words "must be".
        case invalid(must: String)
        /// The value is longer than this number of bytes.
        case tooLong(Int)
        /// The member is unknown. `known` lists the valid names.
        case unknown(known: [String])
        /// The member was sent several times, so its value is ambiguous.
        case repeated
        /// Another error, as the predicate of a sentence whose subject is the member.
        case other(String)
    }

    /// The member's name. For a value inside an object or a list, it's the path to the value, separated by slashes.
    package let name: String
    /// The part of the request that contains the member.
    package let location: Location
    package let flaw: Flaw

    package init(_ name: String, in location: Location = .body, _ flaw: Flaw) {
        self.name = name
        self.location = location
        self.flaw = flaw
    }

    /// The position: a JSON pointer into the body, `?name` for a query parameter, and the name for other members.
    package var pointer: String {
        switch location {
        case .body: "/" + name
        case .query: "?" + name
        case .path, .header: name
        }
    }

    package var isMissing: Bool {
        if case .missing = flaw { true } else { false }
    }

    /// The problem, as a text that follows the member's name and a colon.
    package var words: String {
        switch flaw {
        case .missing: "is missing"
        case .invalid(let must): "must be \(must)"
        case .tooLong(let bytes): "must be at most \(bytes) bytes long"
        case .unknown(let names) where names.isEmpty: "unknown field; no fields are expected here"
        case .unknown(let names): "unknown field; known fields here: \(names.joined(separator: ", "))"
        case .repeated: "must be sent once"
        case .other(let words): words
        }
    }
}

extension Failure {
    /// Creates the failure for an invalid member.
    package init(_ fault: FieldFault) { self.init(.field(fault)) }
}
