/// A task that only one server may perform at a time, even if several share a store.
///
/// Servers of different versions identify a role by its number, so a number is never reused for another role. The set
/// is open: a store may report roles that this version doesn't know.
public struct Role: RawRepresentable, Sendable, Hashable {
    /// The role's number, from 16 on; lower numbers identify locks of other kinds.
    public let rawValue: Int32

    /// Creates a role from its number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The role of the server that records which licenses have expired.
    public static let expirySweep = Role(rawValue: 16)
}

/// Counts how often the lead in a role has changed, as a fencing token against former leaders.
///
/// ``Store/lead(_:)`` elects the leader, and the winner increments the term. A leader's change loads the row and saves
/// nothing if the term is no longer its own. A leader that was replaced while its machine slept therefore does no harm.
public struct LeaderTerm: Sendable, Hashable {
    /// The role that the term is for.
    public let role: Role
    /// The term's number; the highest one is the current leader's.
    public let term: Int64

    /// Creates a term from its parts.
    public init(role: Role, term: Int64) {
        self.role = role
        self.term = term
    }
}

extension LeaderTerm: Stored {
    /// The terms of every role that has ever had a leader.
    public static let table = Table<LeaderTerm>(
        "leaders", key: ["role"], [Field("role") { $0.role }, Field("term") { $0.term }]
    ) { row in
        LeaderTerm(role: try row.next(), term: try row.next())
    }
}

extension LeaderTerm {
    /// The change that gives the calling server the lead in a role, with a term one above the last.
    package static func next(in role: Role) -> Transaction<LeaderTerm> {
        Transaction(plan.bind(role)) { results in
            let last = results[plan.queries]
            let next = LeaderTerm(role: role, term: (last?.term ?? 0) + 1)
            return TransactionResult(next, [.put(next, over: last)])
        }
    }

    private static let plan = QueryPlan(for: Role.self) { query in query.row(table.key) { [.of($0)] } }
}

extension Role: StorableAs {
    /// The role's number.
    public var simple: Int64 { Int64(rawValue) }
    /// Returns `nil` if the number doesn't fit in 32 bits.
    public init?(simple: Int64) {
        guard let number = Int32(exactly: simple) else { return nil }
        self.init(rawValue: number)
    }
}
