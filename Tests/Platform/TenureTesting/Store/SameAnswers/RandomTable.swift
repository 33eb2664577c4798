import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

struct RandomTable: Sendable {
    let name: String
    let change: @Sendable (inout Dice) -> RandomChange

    /// Creates changes of a table.
    ///
    /// - Parameters:
    ///   - keys: The keys other than the primary key.
    ///   - removes: Whether rows may be removed. It's false for rows that other tables reference: two changes in the
    ///     wrong order fail one by one, but succeed in one transaction.
    ///   - make: Creates a random row, with the primary key of `like` if that is given.
    init<Row: Stored>(
        _ keys: [Key<Row>] = [], _ sets: [RowSet<Row>] = [], removes: Bool = true,
        make: @escaping @Sendable (_ like: Row?, inout Dice) -> Row
    ) {
        let table = Row.table.shape
        let plan = QueryPlan(isAlone: table.changesAlone) { query in TableQueries(keys, sets, &query) }
        name = table.name
        let isNamed = StoreSchema.tenure.tables.contains { other in other.foreignKeys.contains { $0.table === table } }
        change = { dice in
            let row = make(nil, &dice)
            let others = (0..<dice.upTo(3)).map { _ in make(nil, &dice) }
            let again = make(row, &dice)
            let steps = Plan.roll(removes: removes, isNamed: isNamed, &dice)
            let event = Event(.licenseChanged, at: dice.moment(), actor: .time, about: .init(tenant: dice.tenant()))
            let queries = plan.queries
            return RandomChange(plan.bind(.init(row: row, others: others))) { results in
                (queries.answer(results), steps.saves(of: row, again, others[0], over: results[queries.one], event))
            }
        }
    }
}

/// Queries of a table by its primary key, its other keys and its sets.
private struct TableQueries<Row: Stored>: Sendable {
    let one: RowQuery<Row>
    private let many: RowsQuery<Row>
    private let keyed: [RowQuery<Row>]
    private let firsts: [RowQuery<Row>]
    private let few: [RowsQuery<Row>]
    private let all: [RowsQuery<Row>]
    private let counts: [CountQuery]

    /// The row whose values the queries look for, and other rows that are looked up by their keys.
    struct Parameters: Sendable {
        let row: Row
        let others: [Row]
    }

    init(_ keys: [Key<Row>], _ sets: [RowSet<Row>], _ query: inout QueryBuilder<Parameters>) {
        one = query.anyRow(Row.table.key, Self.values(Row.table.key.shape))
        many = query.each(Row.table.key) { $0.others.flatMap(\.keyValues) }
        keyed = keys.map { query.anyRow($0, Self.values($0.shape)) }
        firsts = sets.map { query.anyRow($0, Self.values($0.shape)) }
        few = sets.map { query.anyRows($0, upTo: 2, Self.values($0.shape)) }
        all = sets.map { query.anyRows($0, upTo: 1_000, Self.values($0.shape)) }
        counts = sets.map { query.anyCount($0, upTo: 3, Self.values($0.shape)) }
    }

    private static func values(_ set: SetShape) -> @Sendable (Parameters) -> [StoredValue] {
        { bound in bound.row.values(for: set) }
    }

    func answer(_ results: QueryResult) -> [[[StoredValue]]] {
        ([one] + keyed + firsts).map { query in results[query].map { [$0.allValues] } ?? [] }
            + ([many] + few + all).map { query in results[query].map(\.allValues) }
            + counts.map { query in [[.integer(Int64(results[query]))]] }
    }
}

/// The writes of a random change.
private enum Plan: Sendable {
    case nothing, insert, put, replace, remove, insertTwo, insertAndReplace, removeAndInsert, putAndRemove, stale
    case putWithEvent

    static func roll(removes: Bool, isNamed: Bool, _ dice: inout Dice) -> Plan {
        let plan = dice.pick(
            Plan.insert, .insert, .put, .put, .put, .replace, .replace, .putWithEvent, .nothing, .insertTwo,
            .insertAndReplace, .remove, .remove, .removeAndInsert, .putAndRemove, .stale)
        switch plan {
        // A referenced row can't be removed and inserted again, so it's replaced.
        case .removeAndInsert where isNamed: return .put
        case .remove, .removeAndInsert, .putAndRemove: return removes ? plan : .put
        default: return plan
        }
    }

    func saves<Row: Stored>(
        of row: Row, _ again: Row, _ other: Row, over before: Row?, _ event: Event
    ) -> [RowWrite] {
        switch self {
        case .nothing: []
        case .insert: [.insert(row)]
        case .put: [.put(row, over: before)]
        case .putWithEvent: [.put(row, over: before), .append(EventRecord(sequence: 0, event: event))]
        case .replace: before.map { [.replace($0, by: again)] } ?? []
        case .remove: before.map { [.remove($0)] } ?? []
        case .insertTwo: [.insert(row), .insert(other)]
        case .insertAndReplace where before == nil && row.stands(like: again):
            [.insert(row), .replace(row, by: again)]
        case .insertAndReplace: [.put(again, over: before)]
        case .removeAndInsert: before.map { [.remove($0), .insert(again)] } ?? []
        case .putAndRemove:
            if let before, before.stands(like: row) { [.replace(before, by: row), .remove(row)] } else { [] }
        // Replaces a row that doesn't exist: a programming error, which must not affect other changes.
        case .stale: before == nil ? [.replace(row, by: again)] : [.put(again, over: before)]
        }
    }
}

extension Stored {
    /// Whether the row has the same references and unique values as another, so that both can be saved or neither.
    ///
    /// Otherwise an intermediate state could violate a constraint. Engines detect that if changes run one by one, but
    /// not if they run in one transaction.
    fileprivate func stands(like other: Self) -> Bool {
        let table = Self.table.shape
        let named: Set = ["tenant", "product", "policy", "item", "version", "account", "license_id"]
        let keys = Set(table.uniques.flatMap(\.columns))
        return table.columns.enumerated().allSatisfy { index, column in
            !named.contains(column.name) && !keys.contains(index)
                || table.value(of: column, in: stored) == table.value(of: column, in: other.stored)
        }
    }
}
