package import TenureHTTP

/// The fields of a form that a page sent.
package struct FormBody: Sendable {
    private let items: QueryItems

    /// The longest form, in bytes.
    package static let limit = 16_384

    /// Why a body is no form.
    package enum Fault: Error, Sendable, Hashable {
        /// Longer than ``limit``: 413.
        case tooLong
        /// Not `application/x-www-form-urlencoded`: 415.
        case otherType
        /// Not well-formed, or a field is there twice: 400.
        case malformed
    }

    /// Reads a request's body.
    package init(_ request: Request) throws(Fault) {
        let type = (request.headers["Content-Type"] ?? "").prefix { $0 != ";" }
        guard type.filter({ $0 != " " }).lowercased() == "application/x-www-form-urlencoded" else {
            throw .otherType
        }
        guard request.body.count <= Self.limit else { throw .tooLong }
        guard let text = String(validating: request.body, as: UTF8.self), let items = QueryItems(text) else {
            throw .malformed
        }
        self.items = items
    }

    /// The value of a field; nil when it is absent or empty.
    package subscript(name: String) -> String? {
        items[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
