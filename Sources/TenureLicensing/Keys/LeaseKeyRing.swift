public import TenureCore
import TenureCrypto
import TenureServerKit
import TenureStore

/// The lease keys of one tenant: the one that signs, and the ones still published.
public struct LeaseKeyRing: Sendable {
    /// The key that signs.
    public let primary: LeaseKey

    /// The primary and the retiring keys, oldest first.
    public let keys: [LeaseKey]

    /// The keys that are neither used nor published any more, oldest first. They vouch for their successors to clients
    /// that have slept since, and sign nothing else.
    let retired: [LeaseKey]

    /// The keys a client is to be told of at this moment.
    public func published(at now: Timestamp) -> [LeaseKey] {
        keys.filter { key in key.record.publishedUntil.map { now < $0 } ?? true }
    }

    /// The newest key of these names, a retired one too; nil when there is none.
    func newest(of kids: [String]) -> LeaseKey? {
        (retired + keys).last { kids.contains($0.kid) }
    }

    /// Opens the keys of all tenants. A tenant without a primary key has no ring.
    static func open(
        _ records: [SigningKeyRecord], under master: MasterKey
    ) throws(ServerError) -> [TenantID: LeaseKeyRing] {
        var rings: [TenantID: LeaseKeyRing] = [:]
        for (tenant, records) in Dictionary(grouping: records, by: \.tenant) {
            var keys: [LeaseKey] = []
            for record in records {
                do {
                    keys.append(try LeaseKey(record, under: master))
                } catch {
                    throw ServerError(
                        .masterKeyWrong,
                        "The signing key \(record.kid) of tenant \(tenant) cannot be opened: this is not the master key it "
                            + "was sealed under. Start with the right one: --master-key-file FILE.",
                        cause: error.code.text)
                }
            }
            guard let primary = keys.last(where: { $0.record.standing == .primary }) else { continue }
            rings[tenant] = LeaseKeyRing(
                primary: primary, keys: keys.filter { $0.record.standing != .retired },
                retired: keys.filter { $0.record.standing == .retired })
        }
        return rings
    }
}
