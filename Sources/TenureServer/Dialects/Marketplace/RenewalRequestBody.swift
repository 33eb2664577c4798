import TenureFormats
import TenureHTTP

/// What a device posts to renew licenses (`spec/apple.md` §2): the envelope alone.
struct RenewalRequestBody: Sendable {
    let envelope: RequestEnvelope

    /// Reads a body of any content type as JSON; members that are not known are ignored.
    init(_ request: Request) throws(MarketplaceFailure) {
        let members: FlatObject
        do throws(JSONError) {
            members = try FlatObject(scanning: request.body)
        } catch {
            throw MarketplaceFailure(error)
        }
        envelope = RequestEnvelope(
            request: try Self.text("renewalRequest", in: members), requestKey: try Self.text("licenseKey", in: members))
    }

    private static func text(_ name: String, in members: FlatObject) throws(MarketplaceFailure) -> String {
        guard case .value(let text) = members.string(name) else {
            throw .malformed("/\(name)", "must be a text in base64")
        }
        return text
    }
}
