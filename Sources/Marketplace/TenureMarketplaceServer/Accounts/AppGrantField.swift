import TenureCommandLine
import TenureCore
package import TenureMarketplace
package import TenureServerKit

/// A field of a grant that the vendor sets, with all representations in which it is read or written.
struct AppGrantField: Sendable {
    /// The member in responses of the operator API and with `--json`.
    let member: Document<AsOf<AppGrant>>.Member
    /// The column of a list on the command line.
    let line: LabeledText<AsOf<AppGrant>>
    /// Reads the field from a request of the operator API; `nil` if the request doesn't contain it.
    let read: @Sendable (inout FieldReader) throws -> AppGrant.FieldChange?
    let option: Argument<AppGrant.FieldChange?>
    /// The field of an account in a catalog file, which applies to all of the account's grants.
    let listed: CatalogField<AccountSpec.Draft>

    /// All fields, in the order in which requests and options are read.
    static let all = [end]

    private static let end = AppGrantField(
        member: .momentOrNull("expiresAt", "When it ends; null for never.") { $0.value.term.end },
        line: LabeledText("ends") { ($0.value.endedAt ?? $0.value.term.end)?.local ?? "never" },
        read: {
            try $0.end("expiresAt", "When the grant expires; a date alone means 24:00 UTC of that day; null for never.")
                .map { .end($0.end) }
        },
        option: .optional(
            "until", "DATE",
            "When the grant ends (a date alone: 24:00 UTC of that day), or never; without it, an open grant keeps its end.",
            as: ArgumentReading<TermEnd>.end.map { .end($0.end) }),
        listed: CatalogField(
            "expiresAt",
            schema: { _ in
                .end(
                    "When these grants expire, in RFC 3339; a date alone means 24:00 UTC of that day; null means never."
                )
            }
        ) { node, draft, reader in
            if let end = reader.end(node) { draft.listed.terms.append(.end(end.end)) }
        })
}

/// The representations of a grant in JSON and on the command line.
extension AppGrant {
    /// The JSON representation of a grant at a point in time.
    package static let document = Document<AsOf<AppGrant>>(
        "AppGrant",
        [
            .text("account", "The account that holds the grant.") { $0.value.account.account.text },
            .text("appleItemID", "The app's Apple item id.") { $0.value.item.description },
            .boolean("open", "Whether licenses are issued now.") { $0.value.isOpen(at: $0.now) },
            .dateTime("startsAt", "When it starts.") { $0.value.term.start },
        ] + AppGrantField.all.map(\.member) + [
            .dateTime("grantedAt", "When it was last granted.") { $0.value.grantedAt },
            .momentOrNull("endedAt", "When it was ended; null if it wasn't.") { $0.value.endedAt },
        ])

    /// The columns of a list on the command line.
    static let columns: [LabeledText<AsOf<AppGrant>>] =
        [
            LabeledText("app") { $0.value.item.description },
            LabeledText.state("state") {
                $0.value.isOpen(at: $0.now) ? "open" : $0.value.endedAt == nil ? "over" : "ended"
            },
            LabeledText("granted") { $0.value.grantedAt.local },
        ] + AppGrantField.all.map(\.line)
}
