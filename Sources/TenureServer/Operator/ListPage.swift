import TenureServerKit

/// A page of a list, and where the next one begins.
struct ListPage<Element: Sendable>: Sendable {
    let elements: [Element]
    /// What to ask for next; nil at the end of a list that has one.
    let next: String?

    init(_ elements: [Element], next: String?) {
        self.elements = elements
        self.next = next
    }

    /// A page whose elements stand under a name.
    static func document(_ name: String, of document: Document<Element>) -> Document<ListPage> {
        Document(
            nil,
            [
                .list(name, of: document) { $0.elements },
                .textOrNull(
                    "next",
                    "Pass it as `after` for the page that follows; null at the end of a list of licenses."
                ) { $0.next },
            ])
    }
}
