/// Where one content stands for its holder, on a device or before any has it: whether it plays, why not, until when,
/// and what helps.
///
/// That is as far as the server knows: what a device has used since it asked last, it tells when it asks again.
public struct ContentOutlook: Sendable, Hashable {
    /// What its holder meets who opens it, the best first.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// It plays.
        case plays
        /// It does not play, and does again as soon as its device asks.
        case renews
        /// No device has it, and one can.
        case offered
        /// It does not play, or no device has it, and nothing is given for it now.
        case locked
    }

    /// What its holder meets.
    public let state: State
    /// Why it does not play; empty where it plays, or can be had.
    public let obstacles: [Reason]
    /// Why nothing new is given for it, not said yet among the obstacles; empty where something is.
    public let refusals: [Reason]
    /// How long it plays on without asking.
    public let reach: PlayableReach
    /// When that changes by itself: what plays ends, or an obstacle does; nil when it does not.
    public let changesAt: Timestamp?

    /// All that speaks against it: why it does not play, then why nothing new is given.
    public var reasons: [Reason] { obstacles + refusals }

    /// What helps, the first first; empty where nothing has to be done.
    ///
    /// A renewal that is refused is not cured by asking for it: then only what helps against the refusal is told.
    public let helps: [ContentHelp]

    /// Everybody may have it, where access is open: an enrolment is made at first use.
    public static let forAll = ContentOutlook(.offered, at: Timestamp(seconds: 0))

    init(
        _ state: State, obstacles: [Reason] = [], refusals: [Reason] = [], reach: PlayableReach = .nothing,
        at now: Timestamp
    ) {
        self.state = state
        self.obstacles = obstacles
        self.refusals = refusals.filter { refusal in !obstacles.contains { $0.code == refusal.code } }
        self.reach = reach
        let moments = (obstacles + refusals).compactMap(\.changesAt)
        let all: [ContentHelp] =
            switch state {
            case .offered: []
            case .renews: [.connect]
            case .plays, .locked: (refusals.isEmpty ? obstacles : refusals).compactMap(\.help)
            }
        helps = all.reduce(into: []) { told, help in if !told.contains(help) { told.append(help) } }
        changesAt = state == .plays ? reach.moment : moments.filter { $0 > now }.min()
    }
}

extension ContentLicense {
    /// Where it stands on its device.
    /// - Parameter offers: The enrolments of the holder that cover the content or did, its own among them.
    public func outlook(offers: [EnrolmentOffer], at now: Timestamp) -> ContentOutlook {
        let obstacles = stop.map { [Reason.contentStopped($0)] } ?? limitsReached(at: now)
        let renewal = renew(ContentRenewal(version: version, isAlways: true, request: ""), offers: offers, at: now)
        let refusals = renewal.outcome == .renewed ? [] : renewal.reasons
        if obstacles.isEmpty { return ContentOutlook(.plays, refusals: refusals, reach: reach, at: now) }
        return ContentOutlook(
            refusals.isEmpty ? .renews : .locked, obstacles: obstacles, refusals: refusals, at: now)
    }
}

extension [EnrolmentOffer] {
    /// Where a content stands that no device has: whether one of the holder's could have it.
    public func outlook(at now: Timestamp) -> ContentOutlook {
        var full: [Reason] = []
        for offer in open(at: now) {
            guard let policy = offer.policy else { continue }
            guard let obstacle = offer.places.obstacle(under: policy, at: now) else {
                return ContentOutlook(.offered, at: now)
            }
            full.append(obstacle)
        }
        if !full.isEmpty { return ContentOutlook(.locked, refusals: full, at: now) }
        let closed = filter { $0.policy != nil }.compactMap { $0.enrolment.obstacle(at: now) }
        return ContentOutlook(.locked, refusals: closed.isEmpty ? [.enrolmentUnknown] : closed, at: now)
    }
}
