public import TenureCore

/// The status of a content item for its holder: whether it plays, why not, until when, and what helps.
///
/// The status is based on the use reported so far. The device may have used more since its last request.
public struct ContentOutlook: Sendable, Hashable {
    /// Whether the item plays for its holder; if the holder's devices differ, the learner page shows the state that
    /// comes first in this order.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// The item plays on a device now.
        case plays
        /// The item doesn't play, but will again once its device contacts the server.
        case renews
        /// No device has the item, and a device can get it.
        case offered
        /// The item doesn't play or isn't on a device, and the server would refuse a grant now.
        case locked
    }

    /// Whether the item plays for its holder now.
    public let state: State
    /// Why the item doesn't play; empty if it plays or is available.
    public let obstacles: [Reason]
    /// Why the server would refuse a new grant, without the reasons already in ``obstacles``; empty if it would give
    /// one.
    public let refusals: [Reason]
    /// How long the item continues to play without contacting the server.
    public let reach: ContentGrant.PlayableReach
    /// When the status changes without anyone acting: when the item stops playing, or when a reason against playing it
    /// or granting it ends; `nil` if no such time is known.
    public let changesAt: Timestamp?

    /// All reasons: why the item doesn't play, then why the server would refuse a new grant.
    public var reasons: [Reason] { obstacles + refusals }

    /// What the user can do, in the order of the reasons that it resolves; empty if nothing needs to be done.
    ///
    /// If a renewal is refused, asking for it again doesn't help. Only advice about the refusal is listed.
    public let helps: [ContentOutlook.Help]

    /// The status of an item that is available to everyone, because access is open.
    public static let forAll = ContentOutlook(.offered, at: Timestamp(seconds: 0))

    init(
        _ state: State, obstacles: [Reason] = [], refusals: [Reason] = [], reach: ContentGrant.PlayableReach = .nothing,
        at now: Timestamp
    ) {
        self.state = state
        self.obstacles = obstacles
        self.refusals = refusals.filter { refusal in !obstacles.contains { $0.code == refusal.code } }
        self.reach = reach
        let moments = (obstacles + refusals).compactMap(\.changesAt)
        let all: [ContentOutlook.Help] =
            switch state {
            case .offered: []
            case .renews: [.connect]
            case .plays, .locked: (refusals.isEmpty ? obstacles : refusals).compactMap(\.help)
            }
        helps = all.reduce(into: []) { unique, help in if !unique.contains(help) { unique.append(help) } }
        changesAt = state == .plays ? reach.end : moments.filter { $0 > now }.min()
    }
}

extension ContentLicense {
    /// Returns the status of the item on the license's device.
    ///
    /// - Parameter offers: The holder's enrolments that cover the item or used to, including the license's own.
    public func outlook(offers: [Enrolment.Offer], at now: Timestamp) -> ContentOutlook {
        let obstacles = stop.map { [Reason.contentStopped($0)] } ?? limitsReached(at: now)
        let renewal = renew(
            ContentRenewal(version: version, isAlways: true, request: ""), offers: offers, at: now)
        let refusals = renewal.outcome == .renewed ? [] : renewal.reasons
        if obstacles.isEmpty { return ContentOutlook(.plays, refusals: refusals, reach: reach, at: now) }
        return ContentOutlook(
            refusals.isEmpty ? .renews : .locked, obstacles: obstacles, refusals: refusals, at: now)
    }
}

extension [Enrolment.Offer] {
    /// Returns the status of an item that no device has.
    ///
    /// The item is offered if a device of the holder can get it; otherwise it is locked.
    public func outlook(at now: Timestamp) -> ContentOutlook {
        var full: [Reason] = []
        for offer in open(at: now) {
            guard let policy = offer.policy else { continue }
            guard let obstacle = offer.devices.obstacle(under: policy, at: now) else {
                return ContentOutlook(.offered, at: now)
            }
            full.append(obstacle)
        }
        if !full.isEmpty { return ContentOutlook(.locked, refusals: full, at: now) }
        let closed = filter { $0.policy != nil }.compactMap { $0.enrolment.obstacle(at: now) }
        return ContentOutlook(.locked, refusals: closed.isEmpty ? [.enrolmentUnknown] : closed, at: now)
    }
}

extension ContentOutlook {
    /// What a user can do if a content item doesn't play or isn't available.
    public enum Help: String, Sendable, Hashable, CaseIterable {
        /// Connect the device to the internet and open the content there, which renews it.
        case connect
        /// Wait until the date when the content becomes available.
        case wait
        /// Release a device that is no longer used.
        case release
        /// Correct the device's clock, or connect the device to the internet.
        case setClock
        /// Ask the vendor; only the vendor can help.
        case vendor
    }
}

extension Reason {
    /// What the user can do about this reason; `nil` if no advice is known.
    ///
    /// A device that connects renews a grant that has expired or needs a check-in. For used-up plays or play time, and
    /// for refused renewals, only the vendor can help.
    public var help: ContentOutlook.Help? {
        switch code {
        case .playWindowOver where evidence.contains { $0.name == "onRenewal" }: .vendor
        case .onlineNeeded, .checkInOverdue, .playerExpired, .grantExpired, .playWindowOver, .contentLicenseUnknown,
            .grantNeeded,
            .contentLicenseReturned:
            .connect
        case .grantNotStarted, .enrolmentNotStarted: .wait
        case .deviceLimitReached: .release
        case .contentClockSetBack: .setClock
        case .playsUsedUp, .playTimeUsedUp, .enrolmentPaused, .enrolmentEnded, .enrolmentUnknown, .notRenewable,
            .renewalOver, .contentLicenseRevoked, .contentLicenseDeleted, .contentLicenseExpired, .deviceReleased:
            .vendor
        default: nil
        }
    }
}
