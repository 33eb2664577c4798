import TenureCore
import TenureLicensing
import TenureServerKit

extension HolderView {
    /// The status of a license as the page shows it to the holder.
    enum Status: Sendable, Hashable {
        case notActivated, active
        /// The term has ended, but the license works until this time.
        case grace(until: Timestamp)
        case expired, suspended, revoked, returned

        init(_ contents: Contents) {
            switch contents.explanation.state {
            case .issued: self = .notActivated
            case .active: self = .active
            case .suspended: self = .suspended
            case .revoked: self = .revoked
            case .returned: self = .returned
            case .expired:
                let end = contents.policy.useEnds(for: contents.license.term)
                if contents.explanation.lease == .active, let end { self = .grace(until: end) } else { self = .expired }
            }
        }

        /// Whether the page suggests a renewal, because the license has expired, even if it still works for a grace
        /// period.
        var needsRenewal: Bool {
            switch self {
            case .grace, .expired: true
            case .notActivated, .active, .suspended, .revoked, .returned: false
            }
        }

        var isStopped: Bool {
            switch self {
            case .suspended, .revoked, .returned: true
            case .notActivated, .active, .grace, .expired: false
            }
        }
    }

    var badge: Markup {
        switch status {
        case .notActivated: Tag.span(.class("mark")) { say(.notActivated) }
        case .active: Tag.span(.class("mark good")) { say(.active) }
        case .grace: Tag.span(.class("mark warn")) { say(.inGrace) }
        case .expired: Tag.span(.class("mark stop")) { say(.expired) }
        case .suspended: Tag.span(.class("mark stop")) { say(.suspended) }
        case .revoked: Tag.span(.class("mark over")) { say(.revoked) }
        case .returned: Tag.span(.class("mark over")) { say(.returned) }
        }
    }

    /// The lines that say until when the license is valid. A stopped license isn't valid now, so only an end that has
    /// passed is shown.
    @Markup.Builder var end: Markup {
        switch license.ending(at: now) {
        case .at(let end) where end <= now: time(say(.expiredOn), end)
        case _ where status.isStopped: Markup.nothing
        case .unstarted(_, let startBy):
            Tag.fact(say(.starts)) {
                startBy.map { say(.startsByThen, ["date": date($0)]) } ?? say(.startsWhenActivated)
            }
        case .never: Tag.fact(say(.validUntil)) { say(.neverExpires) }
        case .at(let end): time(say(.validUntil), end)
        }
        if case .grace(let until) = status { time(say(.worksUntil), until) }
    }

    /// Whether the license has expired and its policy lets the app work in a reduced mode.
    private var isReduced: Bool { status == .expired && contents.explanation.lease == .fallback }

    /// The card that says why the license doesn't work or soon won't, what helps, and when that changes. It's empty for
    /// a license that works.
    var why: Markup {
        let obstacles = contents.explanation.reasons.filter { $0.code != .activationLimitReached }
        let name = ElementID("why")
        if case .grace(let until) = status, let end = license.term.end {
            return Tag.section(.class("card"), .labelled(by: name)) {
                Tag.h2(.id(name)) { say(.graceTitle) }
                Tag.p { say(.graceReason, ["date": date(end), "end": date(until)]) }
                help(contents.renewal == nil ? .askToRenewHelp : .renewInTimeHelp)
            }
        }
        guard !obstacles.isEmpty else { return .nothing }
        return Tag.section(.class("card"), .labelled(by: name)) {
            Tag.h2(.id(name)) { say(isReduced ? .reducedTitle : .whyTitle) }
            if isReduced { Tag.p { say(.reducedMode, ["product": contents.product]) } }
            for reason in obstacles { explanation(of: reason) }
        }
    }

    @Markup.Builder private func explanation(of reason: Reason) -> Markup {
        let vendor = frame.marketplace
        switch reason.code {
        case .licenseSuspended:
            let texts = Self.texts(ofSuspensionFor: reason.stopCause)
            Tag.p { say(texts.reason, ["vendor": vendor]) }
            statedReason(of: .licenseSuspended)
            help(knowsReason(reason, of: .licenseSuspended) ? .settleHelp : .suspendedHelp)
            change(say(texts.change, ["vendor": vendor]))
        case .licenseRevoked:
            Tag.p { say(reason.stopCause == .refund ? .refundRevokes : .revokedReason, ["vendor": vendor]) }
            statedReason(of: .licenseRevoked)
            help(knowsReason(reason, of: .licenseRevoked) ? .returnedHelp : .revokedHelp)
            change(say(.revokedChange))
        case .licenseReturned:
            Tag.p { say(.returnedReason) }
            help(.returnedHelp)
        case .licenseExpired:
            Tag.p { expiry(of: reason) }
            // The renewal of a stopped license doesn't make it work.
            if !status.isStopped {
                help(contents.renewal == nil ? .askToRenewHelp : .renewHelp)
                change(say(.renewChange))
            }
        default:
            // A reason of a later version has only its English sentence.
            Tag.p(.lang(.english)) { reason.message }
            help(.otherHelp)
            change(
                reason.changesAt.map { say(.dateChange, ["date": date($0)]) } ?? say(.otherChange, ["vendor": vendor]))
        }
    }

    private static func texts(
        ofSuspensionFor cause: OrderStop.Cause?
    ) -> (reason: LicensePageText, change: LicensePageText) {
        switch cause {
        case .refund: (.refundSuspends, .suspendedChange)
        case .dispute: (.disputeSuspends, .disputeChange)
        case nil: (.suspendedReason, .suspendedChange)
        }
    }

    /// The act of this kind with the reason that the operator gave for the holder to read; `nil` if there is none.
    private func statedAct(_ kind: EventKind) -> StatedAct? {
        contents.explanation.statedActs.first { $0.kind == kind }
    }

    /// Whether the page says why the license was stopped, so that its holder needn't ask.
    private func knowsReason(_ reason: Reason, of kind: EventKind) -> Bool {
        reason.stopCause != nil || statedAct(kind) != nil
    }

    @Markup.Builder private func statedReason(of kind: EventKind) -> Markup {
        if let act = statedAct(kind) {
            Tag.p(.class("help")) {
                Tag.strong { say(.statedReason, ["vendor": frame.marketplace]) }
                act.reason.text
            }
        }
    }

    private func expiry(of reason: Reason) -> String {
        guard let end = reason.date("expiredAt") else { return reason.message }
        guard let graceEnd = reason.date("graceEndedAt") else { return say(.expiredReason, ["date": date(end)]) }
        return say(.expiredAfterGraceReason, ["date": date(end), "end": date(graceEnd)])
    }

    private func help(_ text: LicensePageText) -> Markup {
        Tag.p(.class("help")) {
            Tag.strong { say(.whatHelps) }
            say(text, ["vendor": frame.marketplace])
        }
    }

    private func change(_ text: String) -> Markup {
        Tag.p(.class("help")) {
            Tag.strong { say(.whenItChanges) }
            text
        }
    }

    func date(_ time: Timestamp) -> String { time.forPeople(in: frame.locale) }
}

extension Reason {
    /// A date of the evidence; `nil` if the reason has none of this name.
    func date(_ name: String) -> Timestamp? {
        if case .date(let time)? = evidence.first(where: { $0.name == name })?.value { time } else { nil }
    }

    /// A number of the evidence; `nil` if the reason has none of this name.
    func number(_ name: String) -> Int? {
        guard case .number(let number)? = evidence.first(where: { $0.name == name })?.value else { return nil }
        return Int(exactly: number)
    }
}
