package import TenureCore

/// The values that a device puts into the page's URL; they are unauthenticated claims.
package struct ResolutionClaims: Sendable, Hashable {
    /// The app's supposed account; it's never looked up, only filled into the sign-in form.
    package var account: AccountID?
    /// The app.
    package var item: AppleItemID?
    /// The app's version.
    package var version: AppleVersionID?

    package init(account: AccountID? = nil, item: AppleItemID? = nil, version: AppleVersionID? = nil) {
        self.account = account
        self.item = item
        self.version = version
    }

    /// No claims.
    package static let none = ResolutionClaims()

    /// Reads claims by name; invalid values count as absent.
    package init(_ value: (String) -> String?) {
        account = value("account").flatMap { AccountID($0) }
        item = value("appleItemID").flatMap { AppleItemID(text: $0) }
        version = value("appleVersionID").flatMap { AppleVersionID(text: $0) }
    }

    /// The app and version as a query; the account is left out because the session knows it.
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
