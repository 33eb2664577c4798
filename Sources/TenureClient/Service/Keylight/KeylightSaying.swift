import TenureFormats

/// What an answer of Keylight's API says, before any signature is looked at.
enum KeylightSaying: Sendable {
    /// 2xx with a lease; the instance is the one the answer names, if any.
    case lease(UnverifiedKeylightLease, instance: String?)
    /// A no that counts (design §5), and the lease that came with it.
    case refused([ToldReason], UnverifiedKeylightLease?)
    /// A 404 without a code: a foreign server's, where it may mean the tenant or the product as well.
    case notFound(ToldReason)
    /// Nothing that may change a state.
    case nothing(Unreached)

    /// Reads an answer to `activate` or `validate`.
    ///
    /// Our server says which no it is with a `code`; only those about a license, an activation or its limit count. A foreign
    /// one has no codes: its 422 counts. Its 402, that no place is free, counts for `activate`, where it refuses that
    /// activation and changes nothing else. What answers without a code in the place of a server that `hasCodes` is
    /// something in between, and its 404 or 422 says nothing about a license.
    init(status: Int, _ object: FlatObject, activating: Bool, hasCodes: Bool = false) {
        let lease: UnverifiedKeylightLease?
        switch object.object("lease") {
        case .absent, .null: lease = nil
        case .wrongType:
            self = .nothing(Unreached(.unverified, "The answer's lease is no object."))
            return
        case .value(let member):
            guard let read = try? UnverifiedKeylightLease(member) else {
                self = .nothing(Unreached(.unverified, "The answer's lease is not of Keylight's format, version 3."))
                return
            }
            lease = read
        }
        switch status {
        case 200...299:
            self =
                lease.map { .lease($0, instance: object.string("instance_id").value) }
                ?? .nothing(Unreached(.captive, "The answer holds no lease, so it is not the license server's."))
        case 402 where activating, 404, 422: self = Self.no(status, object, lease, hasCodes: hasCodes)
        default: self = .nothing(Self.misconfigured(status, object))
        }
    }

    /// Whether an answer is a no with one of Tenure's codes, about whatever.
    static func showsCode(_ status: Int, _ object: FlatObject) -> Bool {
        guard status >= 400, object.string("error").value != nil else { return false }
        return object.string("code").value.map(ToldReason.isCode) ?? false
    }

    private static func no(
        _ status: Int, _ object: FlatObject, _ lease: UnverifiedKeylightLease?, hasCodes: Bool
    ) -> KeylightSaying {
        guard let error = ToldReason.told(object.string("error").value) else {
            return .nothing(Unreached(.captive, "The answer (\(status)) is not of the license server's shape."))
        }
        switch object.string("code") {
        case .absent where hasCodes && status != 402: return .nothing(misconfigured(status, object))
        case .absent: break
        case .value(let code) where isAboutLicense(code):
            let told = ToldReason.list(in: object).filter { isAboutLicense($0.code) }
            return .refused(told.isEmpty ? [ToldReason(code: code, message: error)] : told, lease)
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

    private static func misconfigured(_ status: Int, _ object: FlatObject) -> Unreached {
        let error = ToldReason.told(object.string("error").value) ?? "no reason was given"
        return Unreached(.misconfigured, "The license server cannot use this app's request (\(status)): \(error)")
    }
}
