import TenureCore
import TenureFormats
import TenureHTTP

/// A JSON body of the operator API; members that are not known are refused, so that a typing error changes nothing.
struct AdminBody {
    private let members: FlatObject

    /// Reads a body; an empty one counts as an object without members.
    init(_ request: Request, knowing known: [String]) throws(AdminFailure) {
        if let type = request.headers["Content-Type"], !request.body.isEmpty,
            !type.lowercased().hasPrefix("application/json")
        {
            throw AdminFailure(
                415, "Unsupported media type", code: "content_type_unsupported",
                detail: "Send JSON, with Content-Type: application/json.")
        }
        do throws(JSONError) {
            members = try FlatObject(scanning: request.body.isEmpty ? Array("{}".utf8) : request.body)
        } catch {
            throw AdminFailure(400, "The body is not JSON", code: "json_\(error.code)", detail: error.message)
        }
        for name in members.names where !known.contains(name) {
            throw .unprocessable(
                name,
                known.isEmpty
                    ? "nothing is expected here" : "unknown member; known here: \(known.joined(separator: ", "))")
        }
    }

    func text(_ name: String) throws(AdminFailure) -> String? {
        guard let text = try clearableText(name), !text.isEmpty else { return nil }
        return text
    }

    /// A text; null is the empty one, absent is nil.
    func clearableText(_ name: String) throws(AdminFailure) -> String? {
        switch members.string(name) {
        case .absent: return nil
        case .null: return ""
        case .wrongType: throw .unprocessable(name, "must be a text")
        case .value(let text):
            let printable = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
            guard text.utf8.count <= 256, printable else {
                throw .unprocessable(name, "must have at most 256 bytes and no control characters")
            }
            return text
        }
    }

    func requiredText(_ name: String) throws(AdminFailure) -> String {
        guard let text = try text(name) else {
            throw AdminFailure(422, "A member is missing", code: "field_missing", detail: "\(name) is missing")
        }
        return text
    }

    func slug<Named>(_ name: String) throws(AdminFailure) -> Slug<Named>? {
        guard let text = try text(name) else { return nil }
        guard let slug = Slug<Named>(text) else { throw .unprocessable(name, "must be 1 to 64 of a-z, 0-9, _ and -") }
        return slug
    }

    func requiredSlug<Named>(_ name: String) throws(AdminFailure) -> Slug<Named> {
        _ = try requiredText(name)
        guard let slug: Slug<Named> = try slug(name) else { throw .unprocessable(name, "is missing") }
        return slug
    }

    func integer(_ name: String, in range: ClosedRange<Int>) throws(AdminFailure) -> Int? {
        switch members.integer(name) {
        case .absent, .null: return nil
        case .wrongType: throw .unprocessable(name, "must be a whole number")
        case .value(let number):
            guard let value = Int(exactly: number), range.contains(value) else {
                throw .unprocessable(name, "must be from \(range.lowerBound) to \(range.upperBound)")
            }
            return value
        }
    }

    func moment(_ name: String) throws(AdminFailure) -> Timestamp? {
        guard let text = try text(name) else { return nil }
        guard let moment = Timestamp(text: text) else {
            throw .unprocessable(name, "must be a date such as 2027-01-31T00:00:00Z")
        }
        return moment
    }

    /// An end of a term: null is never, absent is nil.
    func end(_ name: String) throws(AdminFailure) -> LicenseEdit.End? {
        if case .null = members.string(name) { return .never }
        return try moment(name).map { .at($0) }
    }
}
