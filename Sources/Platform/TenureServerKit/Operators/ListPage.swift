import TenureCore

/// One page of a list, and the cursor of the next page.
package struct ListPage<Element: Sendable>: Sendable {
    package let elements: [Element]
    /// The cursor of the next page; `nil` on the last page. A list of events always has a cursor, because events are
    /// added.
    package let next: String?

    package init(_ elements: [Element], next: String?) {
        self.elements = elements
        self.next = next
    }

    /// The JSON object of a page: the elements in the member `name`, and `next`.
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
    /// Reads the maximum number of elements per page, 1...1000. The default is 100.
    package mutating func pageLimit() throws(Failure) -> Int {
        try optional("limit", .integer(1...1000), in: .query, else: 100, "The maximum number of entries.")
    }
}
