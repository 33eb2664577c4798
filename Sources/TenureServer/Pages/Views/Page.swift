/// One page as a value: what it is called, what it says, and the status it is sent with.
package struct Page: Sendable, Hashable {
    /// The status of the answer.
    package let status: Int
    /// What the window is called.
    package let title: String
    /// What stands between the page's top and its end.
    package let content: Markup

    /// Makes a page.
    package init(status: Int = 200, title: String, @MarkupBuilder content: () -> Markup) {
        self.status = status
        self.title = title
        self.content = content()
    }
}
