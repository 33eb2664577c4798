import TenureStore

/// The statements of one connection that follow from declarations, each put together when it is first wanted.
// No lock: it belongs to a connection.
final class Texts {
    /// What a text follows from. Declared things are named by where they stand in memory, and held by ``Made``.
    enum Key: Hashable {
        case look(ObjectIdentifier)
        case keyed([Int], isLocking: Bool)
        case found(ObjectIdentifier)
        case set(Int)
        case view(ObjectIdentifier)
        case guards([ObjectIdentifier])
        case insert(ObjectIdentifier)
        case update(ObjectIdentifier, mask: UInt64)
        case remove(ObjectIdentifier)
        case raise(ObjectIdentifier, column: Int)
        case adopt(ObjectIdentifier)
        case number(ObjectIdentifier)
    }

    /// A statement with the types of the arrays that it binds.
    struct Made {
        let sql: SQL
        let types: [StoredType]
        /// Held, so that no other declaration comes to stand at its place in memory.
        let held: [AnyObject]
    }

    private var made: [Key: Made] = [:]

    /// The statement; put together if it is wanted for the first time.
    func wanted(
        _ key: Key, holding held: @autoclosure () -> [AnyObject] = [], _ make: () -> (text: String, types: [StoredType])
    ) -> Made {
        if let found = made[key] { return found }
        let (text, types) = make()
        let fresh = Made(sql: SQL(text: text, isKept: true), types: types, held: held())
        made[key] = fresh
        return fresh
    }
}
