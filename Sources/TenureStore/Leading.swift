/// What must be done by one server alone, however many share a store.
///
/// The numbers name it among servers of several versions: none is ever used for something else. An open set: a store may
/// tell of roles that this version does not know.
public struct Role: RawRepresentable, Sendable, Hashable {
    /// The number; from 16 on, for those below name locks of other kinds.
    public let rawValue: Int32

    /// Names a role by its number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Writes down which licenses time has expired.
    public static let expirySweep = Role(rawValue: 16)
}

/// How often the lead in a role went over to a server: the fence of those who led before.
///
/// Who leads is decided elsewhere (``Store/lead(_:)``); who wins raises the term. A leader's change loads the row and
/// saves nothing when the term is no longer its own, so a leader that does not know yet that it was given up, because
/// its machine slept, does no harm.
public struct LeaderTerm: Sendable, Hashable {
    /// In what.
    public let role: Role
    /// How often; the highest is the leader's.
    public let term: Int64

    /// Pairs the two.
    public init(role: Role, term: Int64) {
        self.role = role
        self.term = term
    }
}

extension LeaderTerm: Stored {
    /// The terms of all roles that anybody ever led in.
    public static let table = Table<LeaderTerm>(
        "leaders", key: ["role"], [Field("role") { $0.role }, Field("term") { $0.term }]
    ) { row throws(StoreError) in
        LeaderTerm(role: try row.next(), term: try row.next())
    }
}

extension LeaderTerm {
    /// Gives the lead in a role to the server that asks: its term is one more than the last.
    package static func next(in role: Role) -> Change<LeaderTerm> {
        Change(form.asked(.of(role))) { seen in
            let last = seen[form.looks]
            let next = LeaderTerm(role: role, term: (last?.term ?? 0) + 1)
            return Saving(next, [.put(next, over: last)])
        }
    }

    private static let form = LoadForm { ask in ask.row(table.key) }
}

extension Role: StorableAs {
    /// Its number.
    public var simple: Int64 { Int64(rawValue) }
    /// Refuses what has more than 32 bits.
    public init?(simple: Int64) {
        guard let number = Int32(exactly: simple) else { return nil }
        self.init(rawValue: number)
    }
}
