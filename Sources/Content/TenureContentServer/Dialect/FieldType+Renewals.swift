import TenureContent
import TenureCore
import TenureFormats
import TenureServerKit

/// An item of a renewal request, as read and before its grant is verified.
struct ReadItem: Sendable {
    fileprivate let license: ContentLicenseID?
    fileprivate let version: Int64
    /// The device's signed grant; `nil` if it sent none.
    let grant: String?

    /// Returns the item with its verified grant.
    func requestedItem(_ grant: ContentGrant?) -> RequestedItem {
        license.map { .license($0, version: version, grant: grant) } ?? .unread
    }

    /// Reads an item.
    ///
    /// An invalid item gets its own error in the response.
    fileprivate init(_ object: FlatObject?) {
        let version = object?.integer("version").value.flatMap { $0 >= 0 ? $0 : nil }
        let grant = object?.string("grant")
        let isText = if case .wrongType = grant { false } else { true }
        license =
            version == nil || !isText ? nil : object?.string("license").value.flatMap { ContentLicenseID(text: $0) }
        self.version = version ?? 0
        self.grant = grant?.value
    }
}

extension FieldType where Value == [ReadItem] {
    /// The items of a renewal request, each of which may be invalid.
    static var renewalItems: FieldType {
        .objects(
            "a list of 1 to 100 objects",
            of: .orInvalid(item, "An invalid item gets the separate result `invalid`."), count: 1...100,
            sample: []
        ) { objects throws(Fault) in
            let items = objects.map { ReadItem($0) }
            var seen: Set<ContentLicenseID> = []
            for (index, item) in items.enumerated() {
                guard let license = item.license else { continue }
                if !seen.insert(license).inserted { throw Fault("/\(index)", "lists a license twice") }
            }
            return items
        }
    }

    private static var item: Schema {
        .object(
            [("license", .text()), ("version", .integer()), ("grant", Schema.text().orNull)],
            required: ["license", "version"])
    }
}

extension FieldType where Value == ReportedUsage {
    /// The plays that a device reports, each of which may be invalid.
    static var usage: FieldType {
        .objects(
            "a list of at most 500 objects", of: .orInvalid(session, "An invalid entry is listed in `refused`."),
            count: 0...500, sample: .none
        ) { objects in
            ReportedUsage(reports: objects.map { $0.flatMap { SessionReport($0) } })
        }
    }

    private static var session: Schema {
        .object(
            [
                ("license", .text()), ("version", .integer()), ("session", .text(format: "uuid")),
                ("sequence", .integer()), ("startedAt", .integer()), ("playSeconds", .integer()),
                ("counted", .boolean), ("ended", .boolean),
            ],
            required: [
                "license", "version", "session", "sequence", "startedAt", "playSeconds", "counted", "ended",
            ])
    }
}

extension SessionReport {
    /// Reads a report; `nil` if a member is missing or invalid.
    fileprivate init?(_ object: FlatObject) {
        guard let license = object.string("license").value.flatMap({ ContentLicenseID(text: $0) }),
            let version = object.integer("version").value,
            let session = object.string("session").value.flatMap({ PlaySessionID(text: $0) }),
            let sequence = object.integer("sequence").value,
            let startedAt = object.integer("startedAt").value, (0...253_402_300_799).contains(startedAt),
            let playSeconds = object.integer("playSeconds").value, let counted = object.boolean("counted").value,
            let ended = object.boolean("ended").value
        else { return nil }
        self.init(
            license: license, version: version, session: session, sequence: sequence,
            startedAt: Timestamp(seconds: startedAt), playSeconds: playSeconds, isCounted: counted, isEnded: ended)
    }
}

extension Schema {
    /// Returns a schema for list elements that accepts anything.
    ///
    /// An invalid element gets its own error and doesn't fail the request.
    fileprivate static func orInvalid(_ schema: Schema, _ sentence: String) -> Schema {
        Schema([.init("anyOf", .list([schema.tree, ["description": .text(sentence)]]))])
    }
}
