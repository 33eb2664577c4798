package import TenureCore

/// The values that a device adds to the URL of the resolution page.
///
/// The values aren't authenticated, so treat them as claims.
package struct ResolutionClaims: Sendable, Hashable {
    /// The account that the app claims to have; `nil` if the URL names none. It's only filled into the sign-in form,
    /// and never looked up.
    package var account: AccountID?
    package var item: AppleItemID?
    package var version: AppleVersionID?

    package init(account: AccountID? = nil, item: AppleItemID? = nil, version: AppleVersionID? = nil) {
        self.account = account
        self.item = item
        self.version = version
    }

    package static let none = ResolutionClaims()

    /// Reads claims by name. Invalid values count as absent.
    package init(_ value: (String) -> String?) {
        account = value("account").flatMap { AccountID($0) }
        item = value("appleItemID").flatMap { AppleItemID(text: $0) }
        version = value("appleVersionID").flatMap { AppleVersionID(text: $0) }
    }

    /// Reads the claims from a submitted form.
    package init(form fields: inout FieldReader) throws {
        let account = try fields.optional("account", .formText)
        let item = try fields.optional("appleItemID", .formText)
        let version = try fields.optional("appleVersionID", .formText)
        self.init { ["account": account, "appleItemID": item, "appleVersionID": version][$0] ?? nil }
    }

    /// The app and version as query parameters. The account is left out, because the session determines it.
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
