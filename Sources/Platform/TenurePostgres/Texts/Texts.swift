import TenureStore

/// The statements of one connection that are generated from declarations, each when it is first needed.
// It needs no lock, because it belongs to one connection.
final class Texts {
    /// Identifies a statement by the addresses of the declarations that it was generated from; ``Made`` retains them.
    enum Key: Hashable {
        case fetch(ObjectIdentifier)
        case keyed([Int], isLocking: Bool)
        case found(ObjectIdentifier)
        case set(Int)
        case view(ObjectIdentifier)
        case guards([ObjectIdentifier])
        case insert(ObjectIdentifier)
        case update(ObjectIdentifier, mask: UInt64)
        case remove(ObjectIdentifier)
        case raise(ObjectIdentifier)
        case adopt(ObjectIdentifier)
    }

    /// A statement with the types of the arrays to bind.
    struct Made {
        let sql: SQL
        let types: [StoredType]
        /// The declarations, retained so that their object identifiers aren't reused.
        let held: [AnyObject]
    }

    private var made: [Key: Made] = [:]

    /// Returns the statement; generates it on first use.
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
