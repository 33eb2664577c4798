package import TenureCore

/// What the device says in the page's address: claims that prove nothing .
package struct ResolutionClaims: Sendable, Hashable {
    /// Whose app it is said to be; never looked up, only put into the sign-in form.
    package var account: AccountID?
    /// Which app.
    package var item: AppleItemID?
    /// Which version of it.
    package var version: AppleVersionID?

    /// Puts claims together.
    package init(account: AccountID? = nil, item: AppleItemID? = nil, version: AppleVersionID? = nil) {
        self.account = account
        self.item = item
        self.version = version
    }

    /// Nothing is claimed.
    package static let none = ResolutionClaims()

    /// Reads named values; one that is no name of its kind is as absent as none.
    package init(_ value: (String) -> String?) {
        account = value("account").flatMap { AccountID($0) }
        item = value("appleItemID").flatMap { AppleItemID(text: $0) }
        version = value("appleVersionID").flatMap { AppleVersionID(text: $0) }
    }

    /// The app and version as a query, without the account: a session knows whose it is.
    package var query: [(name: StaticString, value: String?)] {
        [("appleItemID", item?.description), ("appleVersionID", version?.description)]
    }

    /// The app and version as hidden fields of a form.
    package var fields: Markup {
        .sequence(
            query.map { item in
                item.value.map { Tag.input(.type("hidden"), .name(item.name), .value($0)) } ?? .nothing
            })
    }
}
