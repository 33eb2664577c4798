package import TenureFormats

/// Why a request cannot be read.
package enum Unreadable: Sendable {
    /// Its body has a type that the style does not read.
    case mediaType
    /// Its body is longer than the endpoint reads; bytes that it would have.
    case tooLong(Int)
    /// Its body is not JSON.
    case json(JSONError)
    /// Its body is no form.
    case form
    /// Its query is not `name=value&name=value`.
    case query
    /// One of its members is not what it must be.
    case field(FieldFault)

    /// A stable code.
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

/// What is wrong with a member.
package struct FieldFault: Sendable {
    /// Where a member stands.
    package enum Place: String, Sendable {
        case body, query, path, header
    }

    /// What is wrong with it.
    package enum Flaw: Sendable {
        /// It is not there; what it must be.
        case missing(must: String)
        /// It is not what it must be.
        case invalid(must: String)
        /// It is longer than so many bytes.
        case tooLong(Int)
        /// Nobody asks for it; what is known.
        case unknown(known: [String])
        /// Something else, in a whole sentence without its subject.
        case other(String)
    }

    /// Its name; of a member inside an object the names on the way, with slashes.
    package let name: String
    /// Where it stands.
    package let place: Place
    /// What is wrong with it.
    package let flaw: Flaw

    /// Names a fault.
    package init(_ name: String, in place: Place = .body, _ flaw: Flaw) {
        self.name = name
        self.place = place
        self.flaw = flaw
    }

    /// Where it is: a JSON pointer into the body, or `?name` for the query.
    package var pointer: String {
        switch place {
        case .body: "/" + name
        case .query: "?" + name
        case .path, .header: name
        }
    }

    /// Whether it is not there at all.
    package var isMissing: Bool {
        if case .missing = flaw { true } else { false }
    }

    /// What is wrong, after the name and a colon.
    package var words: String {
        switch flaw {
        case .missing: "is missing"
        case .invalid(let must): "must be \(must)"
        case .tooLong(let bytes): "must have at most \(bytes) bytes"
        case .unknown(let known) where known.isEmpty: "nothing is expected here"
        case .unknown(let known): "unknown member; known here: \(known.joined(separator: ", "))"
        case .other(let words): words
        }
    }
}

extension Failure {
    /// A member that is not what it must be.
    package init(_ fault: FieldFault) { self.init(.field(fault)) }
}
