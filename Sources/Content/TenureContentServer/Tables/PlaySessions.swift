package import TenureContent
import TenureCore
package import TenureStore

/// A play that a device reported, as it is stored.
package struct ReportedPlay: Sendable, Hashable {
    /// The report, merged with later reports about the same play.
    package let report: SessionReport

    package init(_ report: SessionReport) { self.report = report }
}

extension ReportedPlay: Stored {
    package static let table = Table<ReportedPlay>(
        "play_sessions", key: ["license_id", "session"],
        [
            Field("license_id") { $0.report.license }, Field("session") { $0.report.session },
            Field("version") { $0.report.version }, Field("sequence") { $0.report.sequence },
            Field("started_at") { $0.report.startedAt }, Field("play_seconds") { $0.report.playSeconds },
            Field("is_counted") { $0.report.isCounted }, Field("is_ended") { $0.report.isEnded },
        ],
        foreignKeys: [ForeignKey("license_id", to: ContentLicense.self)],
        indexes: [TableIndex("by_start", "started_at")]
    ) { row in
        let (license, session): (ContentLicenseID, PlaySessionID) = (try row.next(), try row.next())
        let (version, sequence): (Int64, Int64) = (try row.next(), try row.next())
        let report = SessionReport(
            license: license, version: version, session: session, sequence: sequence, startedAt: try row.next(),
            playSeconds: try row.next(), isCounted: try row.next(), isEnded: try row.next())
        guard let report else { throw StoreError.unreadable("a play") }
        return ReportedPlay(report)
    }

    /// The plays of all licenses, earliest start first.
    package static let byStart = table.set("by_start", order: [.up("started_at")])
    package static let ofLicense = table.set("of_license", "license_id")
}
