public import TenureCore
import TenureServerKit
public import TenureStore

/// How many licenses a policy has.
public struct PolicyCount: Sendable, Hashable {
    /// The policy.
    public let policy: PolicyRef
    /// How many licenses are under it, in any state.
    public let count: Int

    /// Pairs the two.
    public init(policy: PolicyRef, count: Int) {
        self.policy = policy
        self.count = count
    }
}

extension PolicyCount {
    /// How many licenses each policy has; those that have none are left out.
    public static let all = View<PolicyCount>(
        "licenses per policy", touches: [License.table.shape],
        sqlite: "SELECT tenant, product, policy, count(*) FROM licenses GROUP BY tenant, product, policy",
        postgres: "SELECT tenant, product, policy, count(*) FROM licenses GROUP BY tenant, product, policy"
    ) { row throws(StoreError) in
        PolicyCount(policy: PolicyRef(product: try row.product(), policy: try row.next()), count: try row.next())
    }
}

/// How much is stored.
public struct Census: Sendable, Hashable {
    /// Licenses by recorded state.
    public var licenses: [License.State: Int]
    /// Seats taken now.
    public var liveActivations: Int
    /// The sequence number of the latest event; 0 when there is none.
    public var latestEvent: Int64

    /// Puts it together.
    public init(licenses: [License.State: Int], liveActivations: Int, latestEvent: Int64) {
        self.licenses = licenses
        self.liveActivations = liveActivations
        self.latestEvent = latestEvent
    }
}

extension Census {
    /// A number of the census.
    public enum Entry: Sendable, Hashable {
        /// How many licenses are recorded in a state.
        case licenses(License.State, Int)
        /// How many seats are taken.
        case liveActivations(Int)
        /// The number of the latest event.
        case latestEvent(Int64)
    }

    /// All numbers, of one moment. It reads every license and activation.
    public static let entries = View<Entry>(
        "census", touches: [License.table.shape, Activation.table.shape, EventRecord.table.shape],
        sqlite: """
            SELECT state, count(*) FROM licenses GROUP BY state
            UNION ALL SELECT 'live activations', count(*) FROM activations WHERE released_at IS NULL
            UNION ALL SELECT 'latest event', ifnull(max(sequence), 0) FROM events
            """,
        postgres: """
            SELECT state, count(*) FROM licenses GROUP BY state
            UNION ALL SELECT 'live activations', count(*) FROM activations WHERE released_at IS NULL
            UNION ALL SELECT 'latest event', coalesce(max(sequence), 0) FROM events
            """
    ) { row throws(StoreError) in
        let name: String = try row.next()
        switch name {
        case "live activations": return .liveActivations(try row.next())
        case "latest event": return .latestEvent(try row.next())
        default:
            guard let state = License.State(rawValue: name) else { throw .unreadable("a license's state") }
            return .licenses(state, try row.next())
        }
    }

    /// Adds the entries up.
    public init(_ entries: [Entry]) {
        self.init(licenses: [:], liveActivations: 0, latestEvent: 0)
        for entry in entries {
            switch entry {
            case .licenses(let state, let count): licenses[state] = count
            case .liveActivations(let count): liveActivations = count
            case .latestEvent(let number): latestEvent = number
            }
        }
    }
}
