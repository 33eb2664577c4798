package import TenureContent
import TenureCore
package import TenureFormats
package import TenureServerKit

/// An enrolment with its status, the number of devices that count against its device limit, and that limit.
package struct CountedEnrolment: Sendable {
    package let enrolment: Enrolment
    /// The enrolment's status, by its acts and dates, at the time when it was read.
    package let status: Enrolment.Status
    /// The number of devices that count against the limit.
    package let devices: Int
    /// The maximum number of devices that may be active at the same time; `nil` for no limit.
    package let deviceLimit: Int?
}

extension Document.Member {
    /// A time in POSIX seconds, or null.
    static func secondsOrNull(
        _ name: String, _ sentence: String, _ value: @escaping @Sendable (Value) -> Timestamp?
    ) -> Document.Member {
        .integerOrNull(name, sentence) { value($0)?.seconds }
    }

    /// A member with plays and play time, which are used or left.
    static func use(
        _ name: String, _ sentence: String, _ value: @escaping @Sendable (Value) -> (plays: Int?, playSeconds: Int64?)
    ) -> Document.Member {
        let schema = Schema.object(
            [("plays", Schema.integer().orNull), ("playSeconds", Schema.integer().orNull)],
            required: ["plays", "playSeconds"])
        return .init(name, schema, sentence) { subject, object in
            let (plays, playSeconds) = value(subject)
            object.object(name) { member in
                member.member("plays", plays)
                member.member("playSeconds", playSeconds)
            }
        }
    }
}

extension ContentLicense {
    /// The schema of a content license in responses; times are in POSIX seconds.
    package static let document = Document<ContentLicense>(
        "ContentLicense",
        [
            .text("id", "Its id on this server: `clc_` and 13 digits.") { $0.id.description },
            .text("enrolment", "The enrolment it belongs to.") { $0.enrolment.description },
            .text("holder", "The holder it belongs to.") { $0.holder },
            .text("content", "The content item.") { $0.present.content.text },
            .text("device", "The device.") { Hex.encode($0.present.device.bytes) },
            .integer("version", "The newest version of its limits.") { $0.version },
            .choice("state", "The state set by acts.") { $0.state },
            .secondsOrNull("expiresAt", "When its newest version expires; null for never.") {
                $0.present.terms.expiresAt
            },
            .use("used", "The usage of the newest version; with `carry`, of all versions.") {
                ($0.used.plays, $0.used.playSeconds)
            },
            .boolean("usageReported", "Whether the device reports usage. Kollus's player doesn't.") {
                $0.reportsUse
            },
            .use("remaining", "What is left; null if there is no limit.") { ($0.playsLeft, $0.secondsLeft) },
            .secondsOrNull("downloadedAt", "When the device completed the download; null if it didn't report that.") {
                $0.downloadedAt
            },
            .secondsOrNull(
                "playerExpiredAt",
                "When a Kollus player reported that the download had expired; null if it hasn't."
            ) { $0.playerExpiredAt },
            .integer("lastSeenAt", "When the device last sent a request, to the hour.") { $0.lastSeenAt.seconds },
        ])
}

extension Document {
    /// Returns a document with a single member that contains another document.
    static func one(_ name: String, of document: Document<Value>) -> Document {
        Document(
            nil,
            [
                .init(name, document.schema) { value, object in
                    object.object(name) { document.write(value, into: &$0) }
                }
            ])
    }
}

extension Document {
    /// Returns a document with the members of another one appended.
    ///
    /// It serves as a schema only, because each of the documents is written separately.
    func followed<Other>(by other: Document<Other>) -> Document<(Value, Other)> {
        Document<(Value, Other)>(nil, members(of: \.0) + other.members(of: \.1))
    }
}

/// A page of a list, with the cursor of the next page.
struct CursorPage<Element: Sendable>: Sendable {
    let elements: [Element]
    let cursor: String?

    /// The schema of a page with its elements under a member name.
    static func document(_ name: String, of document: Document<Element>) -> Document<CursorPage> {
        Document<CursorPage>(
            nil,
            [
                .list(name, of: document) { $0.elements },
                .textOrNull("cursor", "Pass it to get the next page; null on the last page.") { $0.cursor },
            ])
    }
}

extension JSONObjectWriter {
    /// Writes the members of an enrolment.
    package mutating func enrolment(_ enrolment: CountedEnrolment) {
        CountedEnrolment.document.write(enrolment, into: &self)
    }

    /// Writes the members of a content license.
    package mutating func contentLicense(_ license: ContentLicense) {
        ContentLicense.document.write(license, into: &self)
    }
}
