import TenureFormats
import TenureLicensing

/// The meaning of a Keylight response, before any signature is verified.
enum KeylightSaying: Sendable {
    /// Status 2xx with a lease; `instance` is the instance that the response names, if any.
    case lease(KeylightLease.Unverified, instance: String?)
    /// A refusal that may change the license's state (`Documentation/client.md`), with the lease that it contained.
    case refused([ToldReason], KeylightLease.Unverified?)
    /// A 404 without a code, from a third-party server; it may also be about the tenant or product.
    case notFound(ToldReason)
    /// No response that may change the license's state, for this reason.
    case nothing(RequestFailure)

    /// Interprets a response to `activate` or `validate`.
    ///
    /// A Tenure server sends a `code` with each error. Only codes about a license or an activation count as refusals.
    ///
    /// A third-party server sends no codes. Its 422 counts as a refusal. Its 402 (no free activation) counts for
    /// `activate` only, where it refuses that activation and changes nothing else. If a server that normally sends
    /// codes (`hasCodes`) sends none, a proxy may have responded instead, so a 404 or 422 isn't treated as a refusal.
    init(status: Int, _ object: FlatObject, activating: Bool, hasCodes: Bool = false) {
        let lease: KeylightLease.Unverified?
        switch object.object("lease") {
        case .absent, .null: lease = nil
        case .wrongType:
            self = .nothing(RequestFailure(.unverified, "The lease in the response isn't a JSON object."))
            return
        case .value(let member):
            guard let read = try? KeylightLease.Unverified(member) else {
                self = .nothing(
                    RequestFailure(.unverified, "The lease in the response isn't in version 3 of Keylight's format."))
                return
            }
            lease = read
        }
        switch status {
        case 200...299:
            self =
                lease.map { .lease($0, instance: object.string("instance_id").value) }
                ?? .nothing(
                    RequestFailure(.captive, "The response contains no lease, so it isn't from the license server."))
        case 402 where activating, 404, 422: self = Self.no(status, object, lease, hasCodes: hasCodes)
        default: self = .nothing(Self.misconfigured(status, object))
        }
    }

    /// Whether a response is an error with one of Tenure's codes.
    static func showsCode(_ status: Int, _ object: FlatObject) -> Bool {
        guard status >= 400, object.string("error").value != nil else { return false }
        return object.string("code").value.map(ToldReason.isCode) ?? false
    }

    private static func no(
        _ status: Int, _ object: FlatObject, _ lease: KeylightLease.Unverified?, hasCodes: Bool
    ) -> KeylightSaying {
        guard let error = ToldReason.cleaned(object.string("error").value) else {
            return .nothing(
                RequestFailure(.captive, "The response (\(status)) doesn't have the license server's format."))
        }
        switch object.string("code") {
        case .absent where hasCodes && status != 402: return .nothing(misconfigured(status, object))
        case .absent: break
        case .value(let code) where isAboutLicense(code):
            let reasons = ToldReason.list(in: object).filter { isAboutLicense($0.code) }
            return .refused(reasons.isEmpty ? [ToldReason(code: code, message: error)] : reasons, lease)
        default: return .nothing(misconfigured(status, object))
        }
        switch status {
        case 402: return .refused([ToldReason(code: "activation_limit_reached", message: error)], nil)
        case 404: return .notFound(ToldReason(code: "license_unknown", message: error))
        default: return .refused([ToldReason(code: "license_refused", message: error)], lease)
        }
    }

    private static func isAboutLicense(_ code: String) -> Bool {
        ToldReason.isCode(code) && (code.hasPrefix("license_") || code.hasPrefix("activation_"))
    }

    private static func misconfigured(_ status: Int, _ object: FlatObject) -> RequestFailure {
        let error = ToldReason.cleaned(object.string("error").value) ?? "no reason was given"
        return RequestFailure(
            .misconfigured, "The license server rejected the app's request (status \(status)): \(error)",
            code: showsCode(status, object) ? object.string("code").value : nil)
    }
}
