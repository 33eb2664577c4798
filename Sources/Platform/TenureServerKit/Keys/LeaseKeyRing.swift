public import TenureCore
import TenureCrypto

/// The lease-signing keys of one tenant.
public struct LeaseKeyRing: Sendable {
    /// The key that signs new leases.
    public let primary: LeaseKey

    /// The primary key and the retiring keys, oldest first.
    public let keys: [LeaseKey]

    /// The keys that are no longer used or published, oldest first.
    ///
    /// They only sign the keyset, so that clients that trust no newer key can verify the newer keys.
    package let retired: [LeaseKey]

    /// The key that will be the next primary key; `nil` if no key has been prepared.
    ///
    /// It's already published, but doesn't sign leases yet.
    public let prepared: LeaseKey?

    /// Returns the keys that are published to clients at a time.
    public func published(at now: Timestamp) -> [LeaseKey] {
        keys.filter { key in key.record.publishedUntil.map { now < $0 } ?? true } + [prepared].compactMap(\.self)
    }

    /// Returns the newest key with one of these names; `nil` if no key has one. Includes retired keys, but not the
    /// prepared key.
    package func newest(of kids: [String]) -> LeaseKey? {
        (retired + keys).last { kids.contains($0.kid) }
    }

    /// Decrypts the keys of one tenant, given oldest first.
    ///
    /// Returns `nil` without a primary key. Keys of an existing ring are reused if their encrypted bytes are the same.
    init?(
        _ records: [SigningKeyRecord], _ next: SigningKeyRecord.Prepared?, over existing: LeaseKeyRing?,
        under master: MasterKey
    ) throws(ServerError) {
        let open = (existing?.keys ?? []) + (existing?.retired ?? []) + [existing?.prepared].compactMap(\.self)
        func opened(_ record: SigningKeyRecord) throws(ServerError) -> LeaseKey {
            if let opened = open.first(where: { $0.kid == record.kid && $0.record.sealedSeed == record.sealedSeed }) {
                return LeaseKey(record, opened: opened)
            }
            do {
                return try LeaseKey(record, under: master)
            } catch {
                throw ServerError(
                    .masterKeyWrong,
                    "The signing key \(record.kid) of tenant \(record.tenant) can't be decrypted: this isn't the "
                        + "master key that encrypted it. Start the server with the right one: --master-key-file FILE.",
                    cause: error.code.text)
            }
        }
        var keys: [LeaseKey] = []
        for record in records { keys.append(try opened(record)) }
        if let next { prepared = try opened(next.promoted) } else { prepared = nil }
        guard let primary = keys.last(where: { $0.record.status == .primary }) else { return nil }
        self.primary = primary
        self.keys = keys.filter { $0.record.status != .retired }
        retired = keys.filter { $0.record.status == .retired }
    }
}
