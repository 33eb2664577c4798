import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

/// A field of a content policy, with its member in a catalog file and its columns in the store.
struct ContentPolicyField: Sendable {
    /// How a catalog file contains the field, and how a plan reports a change.
    let listed: CatalogField<ContentPolicy>
    let columns: [Field<ContentPolicyRow>]
    /// Reads the columns, in the order of ``columns``.
    let read: @Sendable (inout ContentPolicy, inout RowCursor) throws(StoreError) -> Void
}

extension ContentPolicyField {
    /// All fields except the id, in the order of the catalog file and of the columns.
    static let all: [ContentPolicyField] = [
        .limit("expiresAfterDays", "expires_after_days", 1...36_500, \.expiresAfterDays),
        .limit("windowAfterFirstPlayHours", "window_hours", 1...876_000, \.windowAfterFirstPlayHours),
        .limit("grantedPlays", "plays", 1...1_000_000, \.grantedPlays),
        .limit("grantedPlaySeconds", "play_seconds", 1...Int(Int32.max), \.grantedPlaySeconds),
        .choice(
            "playTimeBasis", "play_time_basis", \.playTimeBasis,
            else: "must be \"media\" (seconds of media played) or \"wall\" (elapsed time)"),
        .number("countAfterSeconds", "count_after_seconds", 0...86_400, \.countAfterSeconds),
        .number("resumeWithinSeconds", "resume_within_seconds", 0...604_800, \.resumeWithinSeconds),
        .limit("checkInDays", "check_in_days", 1...36_500, \.checkInDays),
        .flag("onlineRequired", "online_required", \.onlineRequired),
        .flag("askBeforeRenew", "ask_before_renew", \.askBeforeRenew),
        .flag("renewable", "renewable", \.renewable),
        .number("renewAheadDays", "renew_ahead_days", 0...365, \.renewAheadDays),
        .limit("renewAfterExpiryDays", "renew_after_expiry_days", 0...36_500, \.renewAfterExpiryDays),
        .limit("maxRenewals", "max_renewals", 0...1_000_000, \.maxRenewals),
        .choice(
            "onRenewal", "on_renewal", \.onRenewal,
            else: "must be \"reset\" (a renewal resets the usage) or \"carry\" (usage keeps counting)"),
        .number("graceHours", "grace_hours", 0...8_760, \.graceHours),
        .choice(
            "whenOver", "when_over", \.whenOver,
            else: "must be \"finish\", \"stop\" or \"grace\": what happens to a running play when it expires"),
        .limit("deviceLimit", "device_limit", 1...1_000, \.deviceLimit),
        .limit("deviceChanges", "device_changes", 0...1_000, \.deviceChanges),
        selfRelease,
    ]

    private static let selfRelease = ContentPolicyField(
        listed: .selfRelease(\.selfRelease),
        columns: [
            Field("self_release_cooldown_days") { $0.policy.selfRelease?.cooldownDays },
            Field("self_release_per_year") { $0.policy.selfRelease?.perYear },
        ]
    ) { policy, row throws(StoreError) in
        let (cooldown, perYear): (Int?, Int?) = (try row.next(), try row.next())
        policy.selfRelease = perYear.map { SelfRelease(cooldownDays: cooldown ?? 0, perYear: $0) }
    }

    private typealias Path<Value> = any WritableKeyPath<ContentPolicy, Value> & Sendable

    /// Declares a limit, which is `null` for no limit.
    private static func limit(
        _ name: String, _ column: String, _ range: ClosedRange<Int>, _ path: Path<Int?>
    ) -> Self { Self(.integer(name, range, path), column, path) }

    private static func number(
        _ name: String, _ column: String, _ range: ClosedRange<Int>, _ path: Path<Int>
    ) -> Self { Self(.integer(name, range, path), column, path) }

    private static func flag(_ name: String, _ column: String, _ path: Path<Bool>) -> Self {
        Self(.flag(name, path), column, path)
    }

    /// Declares a field whose value is a raw value of an enumeration; `message` is the error for any other value.
    private static func choice<Choice: CaseIterable & RawRepresentable<String> & Storable>(
        _ name: String, _ column: String, _ path: Path<Choice>, else message: String
    ) -> Self { Self(.choice(name, path, else: message), column, path) }

    private init<Value: Storable>(_ listed: CatalogField<ContentPolicy>, _ column: String, _ path: Path<Value>) {
        self.init(listed: listed, columns: [Field(column) { $0.policy[keyPath: path] }]) {
            policy, row throws(StoreError) in policy[keyPath: path] = try row.next()
        }
    }
}

extension ContentPolicy {
    /// The schema of a content policy in a catalog file.
    static let section = CatalogObject(
        "The rules for content licenses; null means no limit.", sample: ContentPolicy(id: .sample),
        [.id()] + ContentPolicyField.all.map(\.listed)
    ) { policy, members, _, _ in
        if members["deviceChanges"] == nil {
            policy.deviceChanges = DeviceAllowance.standardChanges(for: policy.deviceLimit)
        }
    }

    /// Reads a policy; `nil` if it has no valid id.
    init?(_ node: CatalogNode, _ reader: inout CatalogReader) {
        let members = Self.section.members(of: node, &reader)
        guard let id = reader.slug(members["id"], of: node, as: ContentPolicyID.self) else { return nil }
        self.init(id: id)
        Self.section.fill(&self, from: members, of: node, &reader)
    }
}
