import TenureCore
import TenureFormats

/// A page of a provider's list of events, newest first.
package struct ListedMessages: Sendable, Hashable {
    /// The events, each as the body of its message.
    ///
    /// They may have the API version of their time. Members are in the order of their names, not in the provider's.
    package let bodies: [[UInt8]]
    /// Where the list goes on.
    package let page: CatchUp.Page

    /// Creates a page; returns `nil` if another page follows, but the last event has no id or none has a time.
    init?(
        _ events: [JSONValue], hasMore: Bool, id: (JSONValue) -> ProviderID?, time: (JSONValue) -> Timestamp?
    ) {
        let newest = events.compactMap(time).max()
        let next = hasMore ? events.last.flatMap(id) : nil
        if hasMore, next == nil || newest == nil { return nil }
        bodies = events.map(\.encoded)
        page = CatchUp.Page(newest: newest, next: next)
    }
}
