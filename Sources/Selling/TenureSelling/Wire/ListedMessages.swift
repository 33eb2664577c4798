import TenureCore
import TenureFormats

/// A page of a provider's list of events, newest first.
package struct ListedMessages: Sendable, Hashable {
    /// The events, each as the body of its message.
    ///
    /// An old event may have the format of an older API version. Members are sorted by name, unlike in the provider's
    /// messages.
    package let bodies: [[UInt8]]
    /// The page's position in the list.
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

extension JSONValue {
    /// The value as JSON text, with the members of objects in the order of their names.
    ///
    /// The same value always has the same text.
    fileprivate var encoded: [UInt8] {
        switch self {
        case .null: Array("null".utf8)
        case .bool(let bool): Array((bool ? "true" : "false").utf8)
        case .integer(let number): Array(String(number).utf8)
        case .number(let number): Array(String(number).utf8)
        // The brackets of the array are left out.
        case .string(let text): JSONWriter.array { $0.element(text) }.dropFirst().dropLast()
        case .array(let elements): [0x5B] + elements.map(\.encoded).joined(separator: [0x2C]) + [0x5D]
        case .object(let members):
            JSONWriter.object { object in
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    object.member(name, json: value.encoded)
                }
            }
        }
    }
}
