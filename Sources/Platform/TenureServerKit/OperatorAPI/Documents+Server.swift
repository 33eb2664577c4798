import TenureCore
public import TenureFormats

extension EventRecord {
    /// The JSON object of an event. Ids that the event doesn't have are `null`.
    package static let document = Document<EventRecord>(
        "Event",
        [
            .text("id", "The event's id within the tenant, such as `evt_17`.") { "evt_\($0.sequence)" },
            .integer("sequence", "The number of the event among those of the tenant, from 1.") { $0.sequence },
            .text("kind", "What happened, such as `license.renewed`.") { $0.event.kind.text },
            .dateTime("at") { $0.event.at },
            .text("tenant", "The vendor.") { $0.event.subject.tenant.text },
            .textOrNull("product", "The product, if it concerns one.") { $0.event.subject.product?.text },
            .textOrNull("app", "The app's Apple item id, if it concerns one.") { $0.event.subject.app?.description },
            .textOrNull("account", "The account at the marketplace, if it concerns one.") {
                $0.event.subject.account?.text
            },
            .textOrNull("license", "The license, of a product or of an app, if it concerns one.") {
                $0.event.subject.license?.description
            },
            .textOrNull("activation", "The activation's public id, if it concerns one.") {
                $0.event.subject.activation?.description
            },
            .textOrNull("enrolment", "The enrolment, if it concerns one.") {
                $0.event.subject.enrolment?.description
            },
            .textOrNull("contentLicense", "The content license, if it concerns one.") {
                $0.event.subject.contentLicense?.description
            },
            .text("actor", "Who caused it: `device`, `holder`, `time`, `operator:...` or `account:...`.") {
                $0.event.actor.description
            },
            .facts("detail", "The facts that changed.") { $0.event.facts },
        ])
}

extension JSONObjectWriter {
    /// Writes an event's members. Ids that the event doesn't have are `null`.
    public mutating func event(_ record: EventRecord) { EventRecord.document.write(record, into: &self) }

    /// Writes a token's members, without its text, which isn't stored.
    public mutating func token(_ token: TokenRecord) {
        member("id", token.id)
        member("tenant", token.tenant.text)
        member("name", token.name)
        member("scopes", token.scopes)
        member("createdAt", token.createdAt.description)
        member("expiresAt", token.expiresAt?.description)
        member("revokedAt", token.revokedAt?.description)
    }
}

extension TokenRecord {
    /// The members of a token in the JSON output of commands.
    static let members: [Schema.OutputMember] = [
        ("id", .text()), ("tenant", .text()), ("name", .text()), ("scopes", .texts), ("createdAt", .dateTime),
        ("expiresAt", .momentOrNull), ("revokedAt", .momentOrNull),
    ]
}
