package import TenureStore

/// A change of stored rows that breaks a rule.
///
/// Each rule declares a violation, so that a test can damage a store in every way that the rules forbid.
package struct Violation: Sendable, ExpressibleByDictionaryLiteral {
    /// The value that a column is set to or compared with.
    package enum Value: Sendable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
        case value(StoredValue)
        /// The value of the column with this name in the same row.
        case column(String)
        /// The lowest value of the column with this name in the table or subquery `of`.
        case lowest(String, of: String)
        /// In a condition: any value but null.
        case present

        package init(integerLiteral number: Int64) { self = .value(.integer(number)) }
        package init(stringLiteral text: String) { self = .value(.text(text)) }
        package init(nilLiteral: ()) { self = .value(.null) }

        package static func flag(_ flag: Bool) -> Value { .value(.flag(flag)) }
        package static func bytes(_ text: String) -> Value { .value(.blob(Array(text.utf8))) }
        package static func zeros(_ count: Int) -> Value { .value(.blob(Array(repeating: 0, count: count))) }
        /// A date in the year 2286.
        package static let future: Value = 9_999_999_999
        /// A date in the year 2001.
        package static let past: Value = 1_000_000_000
    }

    /// The columns that are changed, by name; empty to delete the rows.
    package let changes: [String: Value]
    /// The column values of the rows that are damaged.
    package let conditions: [String: Value]
    /// Whether every row that meets the conditions is damaged. Otherwise, only the last one in key order is.
    package let isOfAll: Bool

    /// Changes columns of the last row in key order.
    package init(dictionaryLiteral changes: (String, Value)...) {
        self.init(changes: Dictionary(uniqueKeysWithValues: changes), conditions: [:], isOfAll: false)
    }

    private init(changes: [String: Value], conditions: [String: Value], isOfAll: Bool) {
        self.changes = changes
        self.conditions = conditions
        self.isOfAll = isOfAll
    }

    /// Changes columns of the last row that meets the conditions, or of every such row.
    package static func changing(
        _ changes: [String: Value], where conditions: [String: Value] = [:], all: Bool = false
    ) -> Violation {
        Violation(changes: changes, conditions: conditions, isOfAll: all)
    }

    /// Deletes the last row that meets the conditions, or every such row.
    package static func deleting(where conditions: [String: Value] = [:], all: Bool = false) -> Violation {
        Violation(changes: [:], conditions: conditions, isOfAll: all)
    }
}
