public import TenureCore
import TenureCrypto

/// The lease keys of one tenant: the one that signs, and the ones still published.
public struct LeaseKeyRing: Sendable {
    /// The key that signs.
    public let primary: LeaseKey

    /// The primary and the retiring keys, oldest first.
    public let keys: [LeaseKey]

    /// The keys that are neither used nor published any more, oldest first. They vouch for their successors to clients
    /// that have slept since, and sign nothing else.
    package let retired: [LeaseKey]

    /// The key that will sign next, if it is made already. It signs nothing, and clients are told of it.
    public let prepared: LeaseKey?

    /// The keys a client is to be told of at this moment.
    public func published(at now: Timestamp) -> [LeaseKey] {
        keys.filter { key in key.record.publishedUntil.map { now < $0 } ?? true } + [prepared].compactMap(\.self)
    }

    /// The newest key of these names, a retired one too; nil when there is none.
    package func newest(of kids: [String]) -> LeaseKey? {
        (retired + keys).last { kids.contains($0.kid) }
    }

    /// Opens the keys of one tenant, oldest first; takes from an earlier ring what is sealed in the same bytes. Nil without
    /// a primary key.
    init?(
        _ records: [SigningKeyRecord], _ next: PreparedKey?, over known: LeaseKeyRing?, under master: MasterKey
    ) throws(ServerError) {
        let open = (known?.keys ?? []) + (known?.retired ?? []) + [known?.prepared].compactMap(\.self)
        func opened(_ record: SigningKeyRecord) throws(ServerError) -> LeaseKey {
            if let opened = open.first(where: { $0.kid == record.kid && $0.record.sealedSeed == record.sealedSeed }) {
                return LeaseKey(record, opened: opened)
            }
            do {
                return try LeaseKey(record, under: master)
            } catch {
                throw ServerError(
                    .masterKeyWrong,
                    "The signing key \(record.kid) of tenant \(record.tenant) cannot be opened: this is not the master key "
                        + "it was sealed under. Start with the right one: --master-key-file FILE.",
                    cause: error.code.text)
            }
        }
        var keys: [LeaseKey] = []
        for record in records { keys.append(try opened(record)) }
        if let next { prepared = try opened(next.promoted) } else { prepared = nil }
        guard let primary = keys.last(where: { $0.record.standing == .primary }) else { return nil }
        self.primary = primary
        self.keys = keys.filter { $0.record.standing != .retired }
        retired = keys.filter { $0.record.standing == .retired }
    }
}
