import Synchronization

/// One look of a form: which rows of a set are wanted, and where the values to compare with come from.
public final class LookShape: Sendable {
    /// What is wanted.
    public enum Take: Sendable, Hashable {
        /// The rows, in their order, so many at most.
        case rows(upTo: Int)
        /// How many there are, counted no further than this.
        case count(upTo: Int)

        /// The most rows that are looked at.
        package var limit: Int {
            switch self {
            case .rows(let limit), .count(let limit): limit
            }
        }
    }

    /// Where a value to compare with comes from.
    public enum Source: Sendable, Hashable {
        /// The request brings it: the next of its values.
        case request
        /// It is a column, by place, of the row or rows that the base look finds.
        case column(Int)
        /// It is always this.
        case constant(StoredValue)
    }

    /// The same for looks of different forms that ask the same in the same way, so that a group asks them together.
    public let id: Int
    /// Which rows.
    public let set: SetShape
    /// What is wanted of them.
    public let take: Take
    /// Where the values for the set's columns come from.
    public let sources: [Source]
    /// The look whose rows' columns are used, if any.
    public let base: LookShape?
    /// Whether the request brings any number of keys at once.
    public let isList: Bool
    /// How many values the request brings for it, or for each of its keys.
    public let width: Int

    init(_ set: SetShape, _ take: Take, _ sources: [Source], base: LookShape?, isList: Bool) {
        precondition(sources.count == set.columns.count, "\(set.fullName) is asked with \(sources.count) values")
        self.set = set
        self.take = take
        self.sources = sources
        self.base = base
        self.isList = isList
        width = sources.count { $0 == .request }
        precondition(
            width == 0 || base?.findsMany != true, "a look beside many rows takes nothing from the request")
        id = Self.number(of: "\(set.fullName) \(take) \(sources) \(base?.id ?? -1) \(isList)")
    }

    /// Whether it may find rows for several keys.
    package var takesMany: Bool { isList || base?.findsMany == true }

    /// Whether it may find several rows.
    private var findsMany: Bool {
        if case .rows(let limit) = take { takesMany || limit > 1 } else { false }
    }

    /// The look itself after those that it builds on.
    package var chain: [LookShape] { (base?.chain ?? []) + [self] }

    private static let numbers = Mutex<[String: Int]>([:])

    private static func number(of text: String) -> Int {
        numbers.withLock { numbers in
            if let number = numbers[text] { return number }
            numbers[text] = numbers.count
            return numbers.count - 1
        }
    }
}

/// What a form looks at, without the types of its answers: what engines know of it.
public final class FormShape: Sendable {
    /// A look with its place in the request.
    public struct Placed: Sendable {
        /// What is looked at.
        public let look: LookShape
        /// The place, among the form's looks, of the one that it builds on.
        public let base: Int?
        /// The place of its first value, or the place of its list among the lists.
        public let start: Int
    }

    /// The looks; one that builds on another comes after it.
    public let looks: [Placed]
    /// The written queries, each with a list of its own, by its place.
    public let views: [(view: ViewShape, list: Int)]
    /// The locks that are taken before anything is read, each with a list of its own, by its place.
    public let guards: [(lock: Guard, list: Int)]
    /// How many single values a request brings.
    public let valueCount: Int
    /// How many lists a request brings.
    public let listCount: Int
    /// Whether no other change runs beside it: it may change tables that others read without locking.
    public let isAlone: Bool
    /// Whether looks of this form go before those of others that wait.
    public let goesFirst: Bool

    init(_ asking: Asking) {
        looks = asking.looks
        views = asking.views
        guards = asking.guards
        valueCount = asking.valueCount
        listCount = asking.listCount
        isAlone = asking.isAlone
        goesFirst = asking.goesFirst
    }

    /// Whether its looks are a list rather than few rows: all rows of a set, or what a written query finds. Engines do
    /// such a look where they list.
    package var isList: Bool { !views.isEmpty || looks.contains { $0.look.take.limit == Asking.everything } }
}

/// A lock by number where no row can be locked, taken on PostgreSQL before a form's looks, in the order of the numbers.
///
/// SQLite has one writer and needs none.
public final class Guard: Sendable {
    /// What its list holds, column by column.
    public let parameters: [StoredType]
    /// A query of PostgreSQL over arrays of those types, answering one column of 64-bit numbers.
    public let postgres: String

    /// Declares a guard.
    public init(_ parameters: [StoredType], postgres: String) {
        self.parameters = parameters
        self.postgres = postgres
    }
}
