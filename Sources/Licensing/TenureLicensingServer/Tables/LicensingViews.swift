public import TenureCore
public import TenureLicensing
import TenureServerKit
public import TenureStore

/// The number of licenses that follow a policy.
public struct PolicyCount: Sendable, Hashable {
    /// The policy that the licenses follow.
    public let policy: PolicyRef
    /// The number of the policy's licenses, in any state.
    public let count: Int

    /// Creates a count with these values, which aren't checked.
    public init(policy: PolicyRef, count: Int) {
        self.policy = policy
        self.count = count
    }
}

extension PolicyCount {
    /// The number of licenses of each policy; policies without licenses are left out.
    public static let all = NamedQuery<PolicyCount>(
        "licenses per policy", touches: [License.table.shape],
        sqlite: "SELECT tenant, product, policy, count(*) FROM licenses GROUP BY tenant, product, policy",
        postgres: "SELECT tenant, product, policy, count(*) FROM licenses GROUP BY tenant, product, policy"
    ) { row in
        PolicyCount(policy: PolicyRef(product: try row.product(), policy: try row.next()), count: try row.next())
    }
}

/// The number of stored licenses and activations.
///
/// Licenses that were paid with test money are counted separately, and their devices aren't counted.
public struct Census: Sendable, Hashable {
    /// Licenses by recorded state, without test licenses.
    public var licenses: [License.State: Int]
    /// The number of test licenses, in any state.
    public var testLicenses: Int
    /// The number of activations that haven't been released, without those of test licenses.
    public var liveActivations: Int

    /// Creates a census with these numbers, which aren't checked.
    public init(licenses: [License.State: Int], testLicenses: Int = 0, liveActivations: Int) {
        self.licenses = licenses
        self.testLicenses = testLicenses
        self.liveActivations = liveActivations
    }
}

extension Census {
    /// One row of the census.
    public enum Entry: Sendable, Hashable {
        /// The number of licenses recorded in a state.
        case licenses(License.State, isTest: Bool, Int)
        /// The number of activations that haven't been released.
        case liveActivations(Int)
        /// The number of activations of test licenses that haven't been released.
        case liveTestActivations(Int)
    }

    /// Reads all numbers consistently, by scanning every license and activation.
    public static let entries = NamedQuery<Entry>(
        "census", touches: [License.table.shape, Activation.table.shape],
        sqlite: entriesSQL, postgres: entriesSQL
    ) { row in
        let (name, isTest, count): (String, Bool, Int) = (try row.next(), try row.next(), try row.next())
        if name == "live activations" { return isTest ? .liveTestActivations(count) : .liveActivations(count) }
        guard let state = License.State(rawValue: name) else { throw StoreError.unreadable("a license's state") }
        return .licenses(state, isTest: isTest, count)
    }

    // Test licenses are few, so their activations are looked up by license.
    private static let entriesSQL = """
        SELECT state, is_test, count(*) FROM licenses GROUP BY state, is_test
        UNION ALL SELECT 'live activations', FALSE, count(*) FROM activations WHERE released_at IS NULL
        UNION ALL SELECT 'live activations', TRUE, count(*) FROM licenses l CROSS JOIN activations a
        WHERE l.is_test AND a.license_id = l.id AND a.released_at IS NULL
        """

    /// Counts the licenses, without test licenses, whose terms have ended at a time and that aren't recorded as
    /// expired.
    public static let ended = NamedQuery<Entry>(
        "ended licenses", [.integer], touches: [License.table.shape],
        sqlite: """
            SELECT state, count(*) FROM licenses WHERE state IN ('issued', 'active') AND term_end <= ?1 AND NOT is_test
            GROUP BY state
            """,
        postgres: """
            SELECT l.state, count(*) FROM unnest($1::bigint[]) AS w (now) JOIN licenses l ON l.term_end <= w.now
            WHERE l.state IN ('issued', 'active') AND NOT l.is_test GROUP BY l.state
            """
    ) { row in
        guard let state = License.State(rawValue: try row.next()) else {
            throw StoreError.unreadable("a license's state")
        }
        return .licenses(state, isTest: false, try row.next())
    }

    /// Returns the census with these licenses counted as expired.
    func expiring(_ ended: [Entry]) -> Census {
        var census = self
        for case .licenses(let state, false, let count) in ended {
            census.licenses[state, default: 0] -= count
            census.licenses[.expired, default: 0] += count
        }
        return census
    }

    /// Creates a census from the rows of the query.
    public init(_ entries: [Entry]) {
        self.init(licenses: [:], liveActivations: 0)
        for entry in entries {
            switch entry {
            case .licenses(let state, false, let count): licenses[state] = count
            case .licenses(_, true, let count): testLicenses += count
            case .liveActivations(let count): liveActivations += count
            case .liveTestActivations(let count): liveActivations -= count
            }
        }
    }
}
