public import TenureCore

/// A play session as reported by a device and kept by the server.
///
/// Later reports can only increase its values.
public struct SessionReport: Sendable, Hashable {
    /// The longest play time of a session, in seconds: 2^31.
    public static let longestPlay: Int64 = 1 << 31
    /// The highest ledger sequence accepted, low enough that adding to it can't overflow.
    public static let highestSequence = Int64.max / 2

    /// The license that the session used.
    public let license: ContentLicenseID
    /// The version whose limits the session counts towards.
    public let version: Int64
    /// The session's id, unique within the license.
    public let session: PlaySessionID
    /// The sequence of the device's ledger at the session's last change.
    public internal(set) var sequence: Int64
    /// When the first picture was shown, by the device's trusted time.
    public internal(set) var startedAt: Timestamp
    /// The play time charged, in seconds.
    public internal(set) var playSeconds: Int64
    /// Whether the session counted as a play of its version.
    public internal(set) var isCounted: Bool
    /// Whether the session can no longer be continued, so that its values are final.
    public internal(set) var isEnded: Bool

    /// Creates a report; returns `nil` if a value is out of range.
    ///
    /// The version must be at least 1, the sequence from 0 to ``highestSequence`` and the play time from 0 to
    /// ``longestPlay``.
    public init?(
        license: ContentLicenseID, version: Int64, session: PlaySessionID, sequence: Int64, startedAt: Timestamp,
        playSeconds: Int64, isCounted: Bool, isEnded: Bool
    ) {
        guard version >= 1, (0...Self.highestSequence).contains(sequence),
            (0...Self.longestPlay).contains(playSeconds)
        else { return nil }
        self.license = license
        self.version = version
        self.session = session
        self.sequence = sequence
        self.startedAt = startedAt
        self.playSeconds = playSeconds
        self.isCounted = isCounted
        self.isEnded = isEnded
    }

    /// Creates a report of a session in a device's ledger; returns `nil` before its first picture.
    public init?(_ session: PlaySession, of grant: ContentGrant, at now: Timestamp) {
        guard let startedAt = session.startedAt else { return nil }
        self.init(
            license: grant.license, version: session.version, session: session.id, sequence: session.sequence,
            startedAt: startedAt, playSeconds: min(session.use.playSeconds, Self.longestPlay),
            isCounted: session.isCounted, isEnded: !session.canGoOn(under: grant.terms, at: now))
    }

    /// The plays and play time that the session used.
    public var use: ContentUse { ContentUse(plays: isCounted ? 1 : 0, playSeconds: playSeconds) }

    /// Returns the session with a start that isn't after the given time, so that it can be removed some time later.
    func starting(by now: Timestamp) -> SessionReport {
        var started = self
        started.startedAt = min(startedAt, now)
        return started
    }

    /// Whether the start is so far in the future that the device's clock must have been ahead: by over five minutes.
    func isDatedAhead(at now: Timestamp) -> Bool { startedAt > now.adding(seconds: 300) }

    /// The facts of an event about plays that start in the future; `nil` for an empty list.
    static func facts(datedAhead starts: [Timestamp]) -> [Reason.Evidence]? {
        guard let latest = starts.max() else { return nil }
        return [.init("sessions", .number(Int64(starts.count))), .init("reportedStart", .date(latest))]
    }

    /// Returns the session updated by another report: the version and the start stay, and the other values can only
    /// grow.
    func grown(by other: SessionReport) -> SessionReport {
        var grown = self
        grown.sequence = max(sequence, other.sequence)
        grown.playSeconds = max(playSeconds, other.playSeconds)
        grown.isCounted = isCounted || other.isCounted
        grown.isEnded = isEnded || other.isEnded
        return grown
    }
}

extension ContentLicense {
    /// Adds the reported use to this license; reports about other licenses are ignored.
    ///
    /// A play that starts in the future starts now, and an event records that. Repeated reports change nothing, and the
    /// order of reports doesn't matter. A session of a version before ``countsFrom`` is stored without effect. A
    /// session of a version that the server doesn't have is added to the use once that version is recovered. Use beyond
    /// the limits is recorded as an event and never refused.
    ///
    /// - Parameter existing: The stored sessions among those in the reports.
    public func settling(
        _ reports: [SessionReport], existing: [SessionReport], at now: Timestamp
    ) -> (license: ContentLicense, sessions: [SessionReport], events: [Event]) {
        var license = self
        var merged = Dictionary(existing.filter { $0.license == id }.map { ($0.session, $0) }) { $0.grown(by: $1) }
        var changed: [PlaySessionID: SessionReport] = [:]
        var ahead: [Timestamp] = []
        for report in reports where report.license == id {
            let before = merged[report.session]
            let after = before?.grown(by: report) ?? report.starting(by: now)
            if before == nil, report.sequence <= summed { continue }
            if before == nil, report.isDatedAhead(at: now) { ahead.append(report.startedAt) }
            license.settled = max(license.settled, report.sequence)
            // Only its signed grant can confirm a version that the server lost.
            if report.version <= version { license.confirmed = max(license.confirmed, report.version) }
            guard after != before else { continue }
            merged[report.session] = after
            changed[report.session] = after
            guard (countsFrom...max(countsFrom, version)).contains(after.version) else { continue }
            let used = before?.use ?? .none
            license.used =
                license.used
                + ContentUse(
                    plays: after.use.plays - used.plays, playSeconds: after.playSeconds - used.playSeconds)
            license.firstPlayAt = min(license.firstPlayAt ?? after.startedAt, after.startedAt)
        }
        var events: [Event] = []
        if license.isOverused, !isOverused {
            events.append(
                event(
                    .contentOverused, by: .device, at: now,
                    [
                        .init("plays", .number(Int64(license.used.plays))),
                        .init("playSeconds", .number(license.used.playSeconds)), .init("version", .number(version)),
                    ]))
        }
        if let facts = SessionReport.facts(datedAhead: ahead) {
            events.append(event(.playsDatedAhead, by: .device, at: now, facts))
        }
        let sessions = changed.values.sorted { ($0.session.high, $0.session.low) < ($1.session.high, $1.session.low) }
        return (license, sessions, events)
    }

    /// Returns the license with ``summed`` raised to the highest sequence of these plays. Their rows must be deleted.
    package func summing(_ plays: [SessionReport]) -> ContentLicense {
        var license = self
        license.summed = plays.reduce(summed) { max($0, $1.sequence) }
        return license
    }

    private var isOverused: Bool {
        present.terms.plays.map { used.plays > $0 } ?? false
            || present.terms.playSeconds.map { used.playSeconds > $0 } ?? false
    }

    /// Returns the license with a newer version, recovered from its signed grant.
    ///
    /// This is needed after an older backup was restored.
    ///
    /// - Parameter ahead: The reported sessions of versions after the current one.
    func recovering(_ grant: ContentGrant, ahead: [SessionReport]) -> ContentLicense {
        var license = self
        if grant.terms.ledger == .reset {
            license.countsFrom = grant.version
            license.used = .none
            license.firstPlayAt = nil
        }
        for session in ahead where session.license == id && session.version > version {
            guard session.version >= license.countsFrom, session.version <= grant.version else { continue }
            license.used = license.used + session.use
            license.firstPlayAt = min(license.firstPlayAt ?? session.startedAt, session.startedAt)
        }
        license.present = grant
        license.confirmed = grant.version
        license.settled = max(settled, grant.settled)
        return license
    }
}
