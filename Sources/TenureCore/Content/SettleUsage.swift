/// One play as a device reports it, and as the server keeps it. What it says only grows.
public struct SessionReport: Sendable, Hashable {
    /// The longest play time of one session, in seconds: 2^31.
    public static let longestPlay: Int64 = 1 << 31
    /// The highest sequence that a ledger may have reached: far from where adding to it would overflow.
    public static let highestSequence = Int64.max / 2

    /// Of which license.
    public let license: ContentLicenseID
    /// The version it counts against.
    public let version: Int64
    /// Its name; with the license, its key.
    public let session: PlaySessionID
    /// The sequence of the device's ledger at its last change.
    public internal(set) var sequence: Int64
    /// When its first picture was shown, by the device's trusted time.
    public let startedAt: Timestamp
    /// Seconds that were charged.
    public internal(set) var playSeconds: Int64
    /// Whether it counted as a play.
    public internal(set) var isCounted: Bool
    /// Whether it will not go on.
    public internal(set) var isEnded: Bool

    /// Takes a report; refuses a version below 1, a sequence below 0 or over ``highestSequence``, and play time below 0 or
    /// over 2^31 s.
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

    /// Reports a session of a ledger; nil before its first picture.
    public init?(_ session: PlaySession, of grant: ContentGrant, at now: Timestamp) {
        guard let startedAt = session.startedAt else { return nil }
        self.init(
            license: grant.license, version: session.version, session: session.id, sequence: session.sequence,
            startedAt: startedAt, playSeconds: min(session.use.playSeconds, Self.longestPlay),
            isCounted: session.isCounted, isEnded: !session.canGoOn(under: grant.terms, at: now))
    }

    /// What it used.
    public var use: ContentUse { ContentUse(plays: isCounted ? 1 : 0, playSeconds: playSeconds) }

    /// The same session after another report of it: the version and the start stay, the rest grows.
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
    /// Settles reports of this license; those of others are left out.
    ///
    /// A repeat changes nothing, in whatever order reports come. What belongs to a version that no longer counts is kept
    /// and counts against nothing; what belongs to one that the server does not have counts when that is recovered. More
    /// use than was granted is recorded with an event, and refused to nobody.
    /// - Parameter known: The sessions among them that were reported before.
    public func settling(
        _ reports: [SessionReport], known: [SessionReport], at now: Timestamp
    ) -> (license: ContentLicense, sessions: [SessionReport], events: [Event]) {
        var license = self
        var kept = Dictionary(known.filter { $0.license == id }.map { ($0.session, $0) }) { $0.grown(by: $1) }
        var changed: [PlaySessionID: SessionReport] = [:]
        for report in reports where report.license == id {
            let before = kept[report.session]
            let after = before?.grown(by: report) ?? report
            license.settled = max(license.settled, report.sequence)
            // A version that the server lost is confirmed by its signed grant alone.
            if report.version <= version { license.confirmed = max(license.confirmed, report.version) }
            guard after != before else { continue }
            kept[report.session] = after
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
        let sessions = changed.values.sorted { ($0.session.high, $0.session.low) < ($1.session.high, $1.session.low) }
        return (license, sessions, events)
    }

    private var isOverused: Bool {
        present.terms.plays.map { used.plays > $0 } ?? false
            || present.terms.playSeconds.map { used.playSeconds > $0 } ?? false
    }

    /// The license after a version ahead of the server's was taken from its signed grant: a backup had been restored.
    /// - Parameter ahead: The sessions that are known of versions after the present one.
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
