import TenureCore
import TenureFormats
import TenureHTTP

/// A request's JSON body, read member by member; members that nobody asks for are ignored.
struct TenureBody {
    private let members: FlatObject

    /// Bytes in the longest body.
    static let longest = 16 << 10

    /// Reads a body; refuses a longer one, another content type, and what is not one JSON object.
    init(_ request: Request) throws(TenureFailure) {
        guard request.body.count <= Self.longest else {
            throw TenureFailure(413, code: "body_too_large", "Send at most \(Self.longest) bytes.")
        }
        let type = request.headers["Content-Type"]?.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard type == nil || type == "application/json" else {
            throw TenureFailure(
                415, code: "content_type_unsupported", "Send JSON, with Content-Type: application/json.")
        }
        do throws(JSONError) {
            members = try FlatObject(scanning: request.body)
        } catch {
            throw TenureFailure(
                400, code: "json_\(error.code)", "The body is not the JSON it should be: \(error.message)")
        }
    }

    /// What every request of a device has to say.
    func ask(about product: ProductRef) throws(TenureFailure) -> LeaseAsk {
        var ask = LeaseAsk(product: product, nonce: try required("nonce", Self.nonceShape) { StatementNonce(text: $0) })
        ask.device = try required("device", "64 lower-case hexadecimal digits") { DeviceHash($0) }
        return ask
    }

    /// The same, about a license.
    func askWithKey(about product: ProductRef) throws(TenureFailure) -> LeaseAsk {
        var ask = try ask(about: product)
        ask.key = try required("licenseKey", "a license key") { PresentedKey($0) }
        return ask
    }

    /// The same, about an activation of it.
    func askWithActivation(about product: ProductRef) throws(TenureFailure) -> LeaseAsk {
        var ask = try askWithKey(about: product)
        ask.activation = try required("activation", "a UUID") { ActivationID(text: $0) }
        return ask
    }

    /// A member that must be there and of a shape.
    func required<Value>(
        _ name: String, _ shape: String, longest: Int = Self.longestText, _ read: (String) -> Value?
    ) throws(TenureFailure) -> Value {
        guard let text = try optional(name, longest: longest) else {
            throw TenureFailure(422, code: "field_missing", "The field \"\(name)\" is missing: \(shape).")
        }
        guard let value = read(text) else {
            throw TenureFailure(422, code: "field_invalid", "The field \"\(name)\" must be \(shape).")
        }
        return value
    }

    /// A text that may be absent, null or empty: nil then.
    func optional(_ name: String, longest: Int = Self.longestText) throws(TenureFailure) -> String? {
        switch members.string(name) {
        case .absent, .null: return nil
        case .wrongType:
            throw TenureFailure(422, code: "field_invalid", "The field \"\(name)\" must be a text.")
        case .value(let text):
            guard text.utf8.count <= longest else {
                throw TenureFailure(
                    422, code: "field_invalid", "The field \"\(name)\" is longer than \(longest) bytes.")
            }
            return text.isEmpty ? nil : text
        }
    }

    /// A moment in POSIX seconds that may be absent or null.
    func moment(_ name: String) throws(TenureFailure) -> Timestamp? {
        switch members.integer(name) {
        case .absent, .null: return nil
        case .wrongType:
            throw TenureFailure(422, code: "field_invalid", "The field \"\(name)\" must be whole POSIX seconds.")
        case .value(let seconds): return Timestamp(seconds: seconds)
        }
    }

    static let nonceShape = "16 to 64 bytes in base64url without padding"
    static let longestText = 256
}
