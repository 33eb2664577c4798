import TenureFormats
import TenureHTTP

/// A request's JSON body, read member by member; members that nobody asks for are ignored.
struct KeylightBody {
    private let members: FlatObject

    /// Reads a body; refuses another content type, and what is not one JSON object.
    init(_ request: Request) throws(KeylightFailure) {
        if let type = request.headers["Content-Type"], !Self.isJSON(type) {
            throw KeylightFailure(
                .contentType, code: "content_type_unsupported", "Send JSON, with Content-Type: application/json.")
        }
        do throws(JSONError) {
            members = try FlatObject(scanning: request.body)
        } catch {
            throw KeylightFailure(
                .malformed, code: "json_\(error.code)", "The body is not the JSON it should be: \(error.message)")
        }
    }

    /// A text that must be there.
    func required(_ name: String) throws(KeylightFailure) -> String {
        guard let text = try optional(name) else {
            throw Self.missing(name)
        }
        return text
    }

    /// The license key, as typed.
    func licenseKey() throws(KeylightFailure) -> PresentedKey {
        guard let key = PresentedKey(try required("license_key")) else { throw Self.missing("license_key") }
        return key
    }

    /// A text that may be absent, null or empty: nil then.
    func optional(_ name: String) throws(KeylightFailure) -> String? {
        switch members.string(name) {
        case .absent, .null: return nil
        case .wrongType:
            throw KeylightFailure(.refused, code: "field_invalid", "The field \"\(name)\" must be a text.")
        case .value(let text):
            guard text.utf8.count <= Self.longestText else {
                throw KeylightFailure(
                    .refused, code: "field_invalid",
                    "The field \"\(name)\" is longer than \(Self.longestText) bytes.")
            }
            return text.isEmpty ? nil : text
        }
    }

    private static func missing(_ name: String) -> KeylightFailure {
        KeylightFailure(.refused, code: "field_missing", "The field \"\(name)\" is missing.")
    }

    private static let longestText = 256

    private static func isJSON(_ type: String) -> Bool {
        if type == "application/json" { return true }
        let essence = type.prefix { $0 != ";" }.lowercased()
        return essence == "application/json" || essence == "application/json "
    }
}
