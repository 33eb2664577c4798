package import TenureCore
import TenureMarketplaceServer
import TenureServerKit
package import TenureStore

/// A notification from App Store Connect, signed with one of a tenant's secrets.
package struct Notice: Sendable, Hashable {
    package enum Outcome: String, Sendable, Hashable, CaseIterable, StorableCode {
        /// The notification hasn't been acted on yet.
        case waiting
        /// The notification changed the availability or started an import.
        case applied
        /// The notification matched the current state, so it changed nothing.
        case unchanged
        /// A later notification was already applied.
        case outdated
        /// The notification is a ping, or this version of the server doesn't know its type.
        case ignored
        /// The notification names a marketplace that this server doesn't have or whose secret didn't sign it.
        case foreign
        /// The notification names packages that this server doesn't know.
        case unmatched
        /// The notification was signed but can't be parsed.
        case unreadable
        /// The operator undid the notification.
        ///
        /// The record is kept permanently, so that the notification changes nothing if it is sent again.
        case forgotten

        /// The outcomes whose notifications are deleted after ``Notice/lifetime``.
        static let swept = allCases.filter { $0 != .forgotten }
    }

    /// The tenant whose secret signed the notification.
    package let tenant: TenantID
    package let id: String
    /// The notification's type as received.
    package let type: String
    /// The app that the notification concerns; `nil` if it names none.
    package let item: AppleItemID?
    /// When the event happened, in microseconds since 1970; `nil` if the notification has no date.
    package let happenedAt: Int64?
    package let receivedAt: Timestamp
    package var outcome: Outcome
    /// Details of the outcome, such as the unknown packages; `nil` if the outcome has no details.
    package var detail: String?
    /// The body as received, for a replay.
    package let body: [UInt8]
    /// The time from which a notification of unavailability counts if it is dated later than its receipt, in
    /// microseconds since 1970.
    ///
    /// The value is `nil` until the notification has been acted on. It stays `nil` if the notification's own date
    /// applies.
    package var countedAt: Int64?

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

    /// When the server received the notification, in microseconds since 1970.
    var receipt: Int64 { receivedAt.seconds * 1_000_000 }
}

extension Notice: Stored {
    /// The table of notifications, which are kept for ``lifetime``.
    ///
    /// Notifications that an operator has undone are stored permanently.
    package static let table = Table<Notice>(
        "notices", key: ["tenant", "id"],
        [
            Field("tenant") { $0.tenant }, Field("id") { $0.id }, Field("type") { $0.type }, Field("item") { $0.item },
            Field("happened_at") { $0.happenedAt }, Field("received_at") { $0.receivedAt },
            Field("outcome") { $0.outcome }, Field("detail") { $0.detail }, Field("body") { $0.body },
            Field("counted_at") { $0.countedAt },
        ],
        foreignKeys: [ForeignKey(to: TenantRow.self)],
        indexes: [
            TableIndex("of_tenant", "tenant", "received_at", "id"),
            TableIndex("of_app", "tenant", "item", "received_at", "id"),
            TableIndex("by_age", "received_at", "tenant", "id"),
            TableIndex("by_outcome", "outcome", "received_at", "tenant", "id"),
        ]
    ) { row in
        Notice(
            tenant: try row.next(), id: try row.next(), type: try row.next(), item: try row.next(),
            happenedAt: try row.next(), receivedAt: try row.next(), outcome: try row.next(), detail: try row.next(),
            body: try row.next(), countedAt: try row.next())
    }

    /// The notifications of a tenant, newest first.
    package static let ofTenant = table.set("of_tenant", "tenant", order: [.down("received_at"), .down("id")])
    /// The notifications of an app, oldest first.
    package static let ofApp = table.set("of_app", "tenant", "item", order: [.up("received_at"), .up("id")])
    /// All notifications, oldest first.
    package static let byAge = table.set("by_age", order: [.up("received_at")])
    /// The notifications with an outcome, newest first.
    package static let ofOutcome = table.set(
        "of_outcome", "outcome", order: [.down("received_at"), .down("tenant"), .down("id")])

    /// How long notifications are kept, in seconds: 90 days.
    ///
    /// Their effect outlasts them, because it is stored with the apps.
    package static let lifetime: Int64 = 90 * 86_400
}
