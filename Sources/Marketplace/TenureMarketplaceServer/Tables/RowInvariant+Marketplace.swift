import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

extension RowInvariant {
    /// The invariants of a marketplace's rows.
    static func marketplace(_ inspection: Inspection) -> [RowInvariant] {
        let deleted = DeletedAccounts()
        return [
            keys(inspection), assets(inspection), accounts(inspection, deleted), credentials(inspection),
            signIns(inspection), grants(inspection), appLicenses(inspection, deleted),
            RowInvariant(MarketplaceRow.self, exempt: "The catalog's rules are checked when a catalog is applied."),
            RowInvariant(AppRow.self, exempt: "The catalog's rules are checked when a catalog is applied."),
            RowInvariant(VersionRow.self, exempt: "The catalog's rules are checked when a catalog is applied."),
            RowInvariant(AvailabilityRow.self, exempt: "It repeats what App Store Connect said."),
            RowInvariant(MarketplaceSecretRow.self, exempt: "A secret may belong to a key that was replaced."),
        ]
    }

    private static func keys(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            MarketplaceKeyRecord.self, in: inspection, named: { "\($0.purpose.rawValue) \($0.kid) of \($0.tenant)" },
            [
                .notFuture("created_at") { $0.createdAt },
                .not(
                    "certificate", "is set for a secret without a certificate",
                    .changing(["certificate": .zeros(1)], where: ["purpose": "pask"])
                ) { $0.purpose == .pask && !$0.certificate.isEmpty },
                .not(
                    "certificate", "is empty", .changing(["certificate": .zeros(0)], where: ["purpose": "signing"])
                ) { $0.purpose != .pask && $0.certificate.isEmpty },
                .decrypts(),
            ])
    }

    private static func assets(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            AppAsset.self, in: inspection, named: { "\($0.ref.asset) of \($0.ref.item) of \($0.tenant)" },
            [
                .not("key_blob", "isn't 1 to 4096 bytes long", ["key_blob": .zeros(0)]) {
                    $0.keyBlob.map { $0.isEmpty || $0.count > 4_096 } ?? false
                }
            ])
    }

    private static func accounts(_ inspection: Inspection, _ deleted: DeletedAccounts) -> RowInvariant {
        RowInvariant(
            Account.self, in: inspection, named: { "\($0.ref)" },
            [
                .notFuture("created_at") { $0.createdAt },
                .notFuture("deleted_at") { $0.deletedAt },
                .notBefore("deleted_at", "it was created") { ($0.deletedAt, $0.createdAt) },
                .not("email", "is an empty string", ["email": ""]) { $0.email == "" },
                .not("password_hash", "isn't a password hash", ["password_hash": "password"]) {
                    $0.passwordHash.map { !$0.hasPrefix("$argon2") } ?? false
                },
            ], note: { if !$0.isOpen { deleted.refs.insert($0.ref) } })
    }

    private static func credentials(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            AccountCredential.self, in: inspection, named: { "\($0.id) of \($0.account)" },
            [
                .notFuture("created_at") { $0.createdAt },
                .not("expires_at", "is missing for a link", ["kind": "link", "expires_at": nil]) {
                    $0.kind != .token && $0.expiresAt == nil
                },
                .endsAfterStart("expires_at", from: "created_at") { ($0.expiresAt, $0.createdAt) },
                .notBefore("ended_at", "the start") { ($0.endedAt, $0.createdAt) },
            ])
    }

    private static func signIns(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            SignIn.self, in: inspection, named: { "\($0.id) of \($0.account)" },
            [
                .notFuture("created_at") { $0.createdAt },
                .endsAfterStart("expires_at", from: "created_at") { ($0.expiresAt, $0.createdAt) },
                .notBefore("ended_at", "the start") { ($0.endedAt, $0.createdAt) },
                .not("access", "doesn't match the stage", ["access": nil, "access_at": nil]) {
                    ($0.stage == .open) != ($0.access != nil)
                },
                .not("newest", "doesn't match the stage", ["newest": 0]) {
                    ($0.stage == .open) != ($0.family.newest > 0)
                },
                .not("used", "is not before the newest", ["used": .column("newest")]) {
                    $0.family.used > 0 && $0.family.used >= $0.family.newest
                },
                .not("client", "is missing", ["client": nil]) {
                    ($0.stage == .open || $0.stage == .code) && $0.binding == nil
                },
            ])
    }

    private static func grants(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            AppGrant.self, in: inspection, named: { "\($0.item) of \($0.account)" },
            [
                .notFuture("granted_at") { $0.grantedAt },
                .notBefore("ended_at", "it was granted") { ($0.endedAt, $0.grantedAt) },
            ])
    }
}
