import TenureCore
import TenureStore

/// The events of several tenants, oldest first, read page by page.
///
/// Each tenant numbers its own events, so events of different tenants are ordered by time. Events of one tenant keep
/// the order of their numbers.
struct EventStream {
    private struct Source {
        let filter: EventFilter
        /// The event number after which the next page begins.
        var cursor: Int64
        var page: ArraySlice<EventRecord> = []
        var isAtEnd = false
    }

    private let store: any Store
    private var sources: [Source] = []

    /// Creates a stream without events.
    init(in store: any Store) { self.store = store }

    /// Adds the events of a tenant that match a filter and have a number above `number`.
    mutating func add(_ filter: EventFilter, after number: Int64) {
        sources.append(Source(filter: filter, cursor: number))
    }

    /// Whether ``add(_:after:)`` was called for a tenant.
    func contains(_ tenant: TenantID) -> Bool { sources.contains { $0.filter.tenant == tenant } }

    /// The event numbers after which the next pages begin, as text.
    var starts: String {
        if sources.count == 1 { return "\(sources[0].cursor)" }
        return Dictionary(uniqueKeysWithValues: sources.map { ($0.filter.tenant, $0.cursor) }).listed
    }

    /// Returns the next event; `nil` at the end of the stream.
    ///
    /// After the end, the next call reads events that were added in the meantime.
    mutating func next() async throws(StoreError) -> EventRecord? {
        for index in sources.indices {
            while sources[index].page.isEmpty, !sources[index].isAtEnd { try await readPage(of: index) }
        }
        let times = sources.indices.compactMap { index in sources[index].page.first.map { (index, $0.event.at) } }
        guard let (first, _) = times.min(by: { $0.1 < $1.1 }) else {
            for index in sources.indices { sources[index].isAtEnd = false }
            return nil
        }
        return sources[first].page.popFirst()
    }

    private mutating func readPage(of index: Int) async throws(StoreError) {
        let source = sources[index]
        let limit = max(20, 500 / sources.count)
        let page = try await store.eventPage(source.filter, after: source.cursor, limit: limit)
        sources[index].page = page.records[...]
        sources[index].isAtEnd = page.next == source.cursor
        sources[index].cursor = page.next
    }
}
