import TenureCommandLine
import TenureCore
import TenureFormats
import TenureStore

/// The record that a store returned to an older state. It's stored in a setting until an operator resolves the loss.
///
/// All servers and commands read it, including those that didn't detect the loss themselves.
struct RewoundStore: Sendable, Hashable {
    /// The losses of one tenant.
    struct Loss: Sendable, Hashable {
        /// The numbers of the lost events that servers remembered.
        let numbers: ClosedRange<Int64>
        /// The number of the event `store.restored`, after which the tenant's events continue.
        let restored: Int64
    }

    /// The time at which a server first detected the loss.
    let noticedAt: Timestamp
    /// The losses by tenant. A tenant is left out if no server remembers a lost event of it.
    private(set) var losses: [TenantID: Loss]

    init(noticedAt: Timestamp, losses: [TenantID: Loss]) {
        self.noticedAt = noticedAt
        self.losses = losses
    }

    /// The number of events that servers have found missing.
    var missing: Int { losses.values.reduce(0) { $0 + $1.numbers.count } }

    /// Whether the record explains the loss of these events.
    func covers(_ numbers: ClosedRange<Int64>, of tenant: TenantID) -> Bool {
        losses[tenant].map { $0.restored > numbers.upperBound } ?? false
    }

    /// Adds lost events of a tenant to the record.
    mutating func add(_ numbers: ClosedRange<Int64>, of tenant: TenantID, restored: Int64) {
        guard let known = losses[tenant] else {
            losses[tenant] = Loss(numbers: numbers, restored: restored)
            return
        }
        let all = min(known.numbers.lowerBound, numbers.lowerBound)...max(known.numbers.upperBound, numbers.upperBound)
        losses[tenant] = Loss(numbers: all, restored: max(known.restored, restored))
    }

    static let setting = "store.rewound"

    var record: SettingRecord {
        SettingRecord(
            name: Self.setting,
            value: JSONWriter.object { body in
                body.member("noticedAt", noticedAt.description)
                body.array("tenants") { list in
                    for (tenant, loss) in losses.sorted(by: { $0.key < $1.key }) {
                        list.object { member in
                            member.member("tenant", tenant.text)
                            member.member("first", loss.numbers.lowerBound)
                            member.member("last", loss.numbers.upperBound)
                            member.member("restored", loss.restored)
                        }
                    }
                }
            })
    }

    /// Reads the setting's value; `nil` if the value isn't valid.
    init?(_ value: [UInt8]) {
        guard let body = try? FlatObject(scanning: value),
            let noticedAt = body.string("noticedAt").value.flatMap({ Timestamp(text: $0) }),
            let members = body.objects("tenants").value
        else { return nil }
        self.init(noticedAt: noticedAt, losses: [:])
        for member in members {
            guard let tenant = member.string("tenant").value.flatMap({ TenantID($0) }),
                let first = member.integer("first").value, let last = member.integer("last").value, first <= last,
                first > 0, last < 1 << 53,
                let restored = member.integer("restored").value, restored > last
            else { return nil }
            losses[tenant] = Loss(numbers: first...last, restored: restored)
        }
    }
}

extension RewoundStore {
    /// The loss in words, for operators.
    var message: String {
        "The database returned to an older state; this was noticed on \(noticedAt.local). \(missingText)"
    }

    /// The remedy for operators.
    static let cure =
        "If the lost state still exists, such as the former primary's database, keep it and take over what is missing with "
        + "`tenure store recovered --carry-from STORE`. Otherwise, compare your own records with the store, then run "
        + "`tenure store recovered`. Until then, devices whose key or activation is missing keep their leases."

    private var missingText: String {
        let shown = losses.sorted { $0.key < $1.key }.prefix(5).map { "\($0.value.numbers.count) of \($0.key)" }
        let more = losses.count > 5 ? " and those of \(losses.count - 5) more tenants" : ""
        return shown.isEmpty
            ? "How many events are missing is unknown."
            : "At least \(missing.of("event")) \(missing == 1 ? "is" : "are") missing: \(shown.joined(separator: ", "))\(more)."
    }
}
