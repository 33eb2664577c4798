import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

extension RowInvariant {
    /// The invariants of a marketplace's rows.
    static func marketplace(_ inspection: Inspection) -> [RowInvariant] {
        [
            keys(inspection), assets(inspection), accounts(inspection), credentials(inspection), signIns(inspection),
            grants(inspection), appLicenses(inspection),
        ]
    }

    private static func keys(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            MarketplaceKeyRecord.self, in: inspection, named: { "\($0.purpose.rawValue) \($0.kid) of \($0.tenant)" }
        ) { key, tell in
            if inspection.isFuture(key.createdAt) { tell("created_at", "is in the future") }
            if key.purpose == .pask, !key.certificate.isEmpty {
                tell("certificate", "is set for a secret without a certificate")
            }
            if key.purpose != .pask, key.certificate.isEmpty { tell("certificate", "is empty") }
            if let master = inspection.master, (try? master.open(key)) == nil {
                tell("sealed_secret", "can't be decrypted with the master key")
            }
        }
    }

    private static func assets(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(AppAsset.self, in: inspection, named: { "\($0.ref.asset) of \($0.ref.item) of \($0.tenant)" }) {
            asset, tell in
            if let blob = asset.keyBlob, blob.isEmpty || blob.count > 4_096 {
                tell("key_blob", "isn't 1 to 4096 bytes long")
            }
        }
    }

    private static func accounts(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(Account.self, in: inspection, named: { "\($0.ref)" }) { account, tell in
            if inspection.isFuture(account.createdAt) { tell("created_at", "is in the future") }
            if account.email == "" { tell("email", "is an empty string") }
            if let hash = account.passwordHash, !hash.hasPrefix("$argon2") {
                tell("password_hash", "isn't a password hash")
            }
        }
    }

    private static func credentials(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(AccountCredential.self, in: inspection, named: { "\($0.id) of \($0.account)" }) {
            credential, tell in
            if inspection.isFuture(credential.createdAt) { tell("created_at", "is in the future") }
            if credential.kind != .token, credential.expiresAt == nil { tell("expires_at", "is missing for a link") }
            if let end = credential.expiresAt, end <= credential.createdAt {
                tell("expires_at", "is not after the start")
            }
            if inspection.isBefore(credential.endedAt, credential.createdAt) {
                tell("ended_at", "is before the start")
            }
        }
    }

    private static func signIns(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(SignIn.self, in: inspection, named: { "\($0.id) of \($0.account)" }) { signIn, tell in
            if inspection.isFuture(signIn.createdAt) { tell("created_at", "is in the future") }
            if signIn.expiresAt <= signIn.createdAt { tell("expires_at", "is not after the start") }
            if inspection.isBefore(signIn.endedAt, signIn.createdAt) { tell("ended_at", "is before the start") }
            let (isOpen, family) = (signIn.stage == .open, signIn.family)
            if isOpen != (signIn.access != nil) { tell("access", "doesn't match the stage") }
            if isOpen != (family.newest > 0) { tell("newest", "doesn't match the stage") }
            if family.used > 0, family.used >= family.newest { tell("used", "is not before the newest") }
            if isOpen || signIn.stage == .code, signIn.binding == nil { tell("client", "is missing") }
        }
    }

    private static func grants(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(AppGrant.self, in: inspection, named: { "\($0.item) of \($0.account)" }) { grant, tell in
            if inspection.isFuture(grant.grantedAt) { tell("granted_at", "is in the future") }
            if inspection.isBefore(grant.endedAt, grant.grantedAt) { tell("ended_at", "is before it was granted") }
        }
    }

    private static func appLicenses(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(AppLicense.self, in: inspection, named: \.id.description) { license, tell in
            inspection.remember("license", license.id.number)
            if inspection.isFuture(license.issuedAt) { tell("issued_at", "is in the future") }
            if inspection.isFuture(license.stoppedAt) { tell("stopped_at", "is in the future") }
            if inspection.isBefore(license.stoppedAt, license.issuedAt) {
                tell("stopped_at", "is before it was issued")
            }
            inspection.owe(.appLicenseIssued, about: license.id)
            if inspection.isBefore(license.term.start, license.issuedAt) {
                tell("term_start", "is before it was issued")
            }
            switch license.recordedState {
            case .issued, .expired: tell("state", "is a state that is derived and never stored")
            case .active: if license.stoppedAt != nil { tell("stopped_at", "is set although nothing stops it") }
            case .suspended, .revoked, .returned:
                if license.stoppedAt == nil { tell("stopped_at", "is missing") }
            }
            if license.countsUntil != nil, license.recordedState != .returned {
                tell("counts_until", "is set although it wasn't returned")
            }
        }
    }
}
