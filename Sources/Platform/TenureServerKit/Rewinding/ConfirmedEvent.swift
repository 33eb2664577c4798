import TenureCore
import TenureFormats
import TenureStore

/// An event whose commit the database has confirmed to this server.
struct ConfirmedEvent: Sendable, Hashable {
    let tenant: TenantID
    let number: Int64
    /// A digest of the event's row. It shows whether the store still has the same event under this number.
    let digest: Digest

    init(tenant: TenantID, number: Int64, digest: Digest) {
        self.tenant = tenant
        self.number = number
        self.digest = digest
    }

    init(_ record: EventRecord) {
        self.init(
            tenant: record.event.subject.tenant, number: record.sequence, digest: Self.digest(of: record.stored))
    }

    private static func digest(of row: StoredRow) -> Digest {
        var canonical = CanonicalBytes()
        canonical.appendSetColumns(row, of: EventRecord.table.shape)
        return .sha256(of: canonical.bytes)
    }
}
