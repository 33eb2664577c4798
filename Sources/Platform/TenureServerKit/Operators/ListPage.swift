import TenureCore

/// A page of a list, and the cursor of the next one.
package struct ListPage<Element: Sendable>: Sendable {
    package let elements: [Element]
    /// The cursor of the next page; `nil` at the end of a list that has one.
    package let next: String?

    package init(_ elements: [Element], next: String?) {
        self.elements = elements
        self.next = next
    }

    /// A page whose elements are the member `name`.
    package static func document(_ name: String, of document: Document<Element>) -> Document<ListPage> {
        Document(
            nil,
            [
                .list(name, of: document) { $0.elements },
                .textOrNull(
                    "next",
                    "Pass it as `after` to get the next page. Null on the last page, except for events."
                ) { $0.next },
            ])
    }
}

extension FieldReader {
    /// The maximum number of elements per page.
    package mutating func pageLimit() throws(Failure) -> Int {
        try optional("limit", .integer(1...1000), in: .query, else: 100, "The maximum number of entries.")
    }
}
