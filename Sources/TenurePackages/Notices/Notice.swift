package import TenureCore
import TenureMarketplace
import TenureServerKit
package import TenureStore

/// A notification of App Store Connect's that was signed with one of a tenant's secrets.
package struct Notice: Sendable, Hashable {
    /// What became of it.
    package enum Outcome: String, Sendable, Hashable, CaseIterable, StorableCode {
        /// It is to be acted on.
        case waiting
        /// It was acted on.
        case applied
        /// It said what was so already.
        case unchanged
        /// Something later was told before.
        case outdated
        /// A ping, or of a type that this version does not know.
        case ignored
        /// It is of another marketplace, which is none of this server's, or none that this secret is of.
        case foreign
        /// It names packages that nobody has told this server of.
        case unmatched
        /// It was signed, and cannot be read.
        case unreadable
        /// The operator undid it. It is kept for good, so that it changes nothing if it is sent again.
        case forgotten

        /// Those that are removed after ``Notice/lifetime``.
        static let swept = allCases.filter { $0 != .forgotten }
    }

    /// Whose secret signed it.
    package let tenant: TenantID
    /// Apple's name for it.
    package let id: String
    /// Its type, as it came.
    package let type: String
    /// Which app; nil where it says none.
    package let item: AppleItemID?
    /// When it happened, in microseconds since 1970; nil where it does not say.
    package let happenedAt: Int64?
    /// When it came.
    package let receivedAt: Timestamp
    /// What became of it.
    package var outcome: Outcome
    /// More of what became of it, such as the packages that are not known; nil for nothing.
    package var detail: String?
    /// The bytes as they came.
    package let body: [UInt8]
    /// When it counts from, in microseconds since 1970, for a closing whose own time lay ahead of its receipt; nil where it
    /// counts from its own time, and until it was acted on.
    package var countedAt: Int64?

    /// Puts it together.
    package init(
        tenant: TenantID, id: String, type: String, item: AppleItemID?, happenedAt: Int64?,
        receivedAt:
            Timestamp, outcome: Outcome, detail: String?, body: [UInt8], countedAt: Int64? = nil
    ) {
        self.tenant = tenant
        self.id = id
        self.type = type
        self.item = item
        self.happenedAt = happenedAt
        self.receivedAt = receivedAt
        self.outcome = outcome
        self.detail = detail
        self.body = body
        self.countedAt = countedAt
    }

    /// When it came, in microseconds since 1970.
    var receipt: Int64 { receivedAt.seconds * 1_000_000 }
}

extension Notice: Stored {
    /// Notifications, kept for ``lifetime``; forgotten ones for good.
    package static let table = Table<Notice>(
        "notices", key: ["tenant", "id"],
        [
            Field("tenant") { $0.tenant }, Field("id") { $0.id }, Field("type") { $0.type }, Field("item") { $0.item },
            Field("happened_at") { $0.happenedAt }, Field("received_at") { $0.receivedAt },
            Field("outcome") { $0.outcome }, Field("detail") { $0.detail }, Field("body") { $0.body },
            Field("counted_at") { $0.countedAt },
        ],
        parents: [TenantRow.table.shape]
    ) { row throws(StoreError) in
        Notice(
            tenant: try row.next(), id: try row.next(), type: try row.next(), item: try row.next(),
            happenedAt: try row.next(), receivedAt: try row.next(), outcome: try row.next(), detail: try row.next(),
            body: try row.next(), countedAt: try row.next())
    }

    /// A tenant's, the latest first.
    package static let ofTenant = table.set("of_tenant", "tenant", order: [.down("received_at"), .down("id")])
    /// Those of an app, the oldest first.
    package static let ofApp = table.set("of_app", "tenant", "item", order: [.up("received_at"), .up("id")])
    /// All of them, the oldest first.
    package static let byAge = table.set("by_age", order: [.up("received_at")])
    /// Those of one outcome, the latest first.
    package static let ofOutcome = table.set(
        "of_outcome", "outcome", order: [.down("received_at"), .down("tenant"), .down("id")])

    /// How long they are kept, in seconds: 90 days. What they told is kept with the apps.
    package static let lifetime: Int64 = 90 * 86_400
}
