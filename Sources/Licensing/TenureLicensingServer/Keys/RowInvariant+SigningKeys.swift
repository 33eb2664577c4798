import TenureCore
import TenureCrypto
import TenureServerKit
import TenureStore

extension RowInvariant {
    static func signingKeys(_ inspection: Inspection) -> RowInvariant {
        let table = SigningKeyRecord.table.shape
        var primaries: [TenantID: Int] = [:]
        return RowInvariant(
            SigningKeyRecord.self, in: inspection, named: { "\($0.kid) of \($0.tenant)" },
            [
                .notFuture("created_at") { $0.createdAt },
                .not(
                    "published_until", "is set for a key that signs",
                    .changing(["published_until": .future], where: ["standing": "primary"])
                ) { $0.status == .primary && $0.publishedUntil != nil },
                .not(
                    "published_until", "is missing for a retiring key",
                    .changing(["published_until": nil], where: ["standing": "retiring"])
                ) {
                    $0.status == .retiring && $0.publishedUntil == nil && $0.span.map { $0 < .endless } ?? true
                },
                .not("span_days", "is less than one day", ["span_days": 0]) { $0.span.map { $0.days < 1 } ?? false },
                .decrypts(),
                .matches { ($0.publicKey, $0.sealedSeed, $0.tenant, $0.kid) },
            ],
            note: { key in
                primaries[key.tenant, default: 0] += key.status == .primary ? 1 : 0
                inspection.remember("lease key", number(of: key.tenant, key.kid))
            },
            damages: [
                Damage(
                    of: SigningKeyRecord.self,
                    .changing(["standing": "primary", "published_until": nil], where: ["standing": "retiring"]),
                    column: "standing"),
                Damage(
                    of: SigningKeyRecord.self, .changing(["standing": "retired"], where: ["standing": "primary"]),
                    column: "standing"),
            ],
            end: {
                for (tenant, count) in primaries.sorted(by: { $0.key < $1.key }) where count != 1 {
                    inspection.tell(table, "\(tenant)", "standing", "is set for \(count) keys instead of one")
                }
            })
    }

    static func preparedKeys(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            SigningKeyRecord.Prepared.self, in: inspection, named: { "\($0.kid) of \($0.tenant)" },
            [
                .notFuture("created_at") { $0.createdAt },
                .not(
                    "kid", "is used by another key",
                    ["kid": .lowest("kid", of: "signing_keys AS k WHERE k.tenant = prepared_keys.tenant")]
                ) {
                    inspection.knows("lease key", number(of: $0.tenant, $0.kid))
                },
                .decrypts(),
                .matches { ($0.publicKey, $0.sealedSeed, $0.tenant, $0.kid) },
            ])
    }

    private static func number(of tenant: TenantID, _ kid: String) -> Int64 {
        var hasher = Hasher()
        hasher.combine(tenant)
        hasher.combine(kid)
        return Int64(hasher.finalize())
    }
}

extension RowRule {
    fileprivate typealias Key = (publicKey: [UInt8], sealed: [UInt8], tenant: TenantID, kid: String)

    /// Requires that the public key belongs to the private key.
    fileprivate static func matches(_ key: @escaping (Row) -> Key) -> RowRule {
        RowRule("public_key", ["public_key": .zeros(32)]) { row, inspection in
            let key = key(row)
            guard let master = inspection.master, let own = try? privateKey(key, master) else { return nil }
            return own.publicKey.bytes != key.publicKey ? "doesn't match the private key" : nil
        }
    }

    private static func privateKey(_ key: Key, _ master: MasterKey) throws -> Ed25519.PrivateKey {
        try Ed25519.PrivateKey(seed: master.open(sealedSeed: key.sealed, of: key.tenant, kid: key.kid))
    }
}
