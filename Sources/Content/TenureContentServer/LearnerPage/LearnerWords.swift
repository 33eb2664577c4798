import TenureContent
import TenureCore
import TenureServerKit

/// The texts of the learner page, by reason code and language.
extension Reason {
    /// The reason as a sentence for the holder, with dates formatted for people.
    func sentence(in locale: PageLocale) -> String { words(in: locale) ?? message }

    /// The sentence in a language; `nil` for reasons that the learner page doesn't show.
    func words(in locale: PageLocale) -> String? {
        stopText?(in: locale.language) ?? limitWords(locale) ?? enrolmentWords(locale) ?? renewalWords(locale)
    }

    /// The sentence about a stopped license; `nil` for other reasons.
    private var stopText: LearnerPageText? {
        switch code {
        case .contentLicenseDeleted: .deleted
        case .contentLicenseRevoked: .revoked
        case .contentLicenseExpired: .expired
        case .contentLicenseReturned: .returned
        case .deviceReleased: .released
        case .contentLicenseUnknown: .unknown
        default: nil
        }
    }

    /// The sentence about a limit that was reached; `nil` for other reasons.
    private func limitWords(_ locale: PageLocale) -> String? {
        switch code {
        case .grantNotStarted: dated(.startsOn, "notBefore", locale)
        case .grantExpired: dated(.expiredOn, "expiredAt", locale)
        case .playWindowOver: dated(.windowOver, "endedAt", locale)
        case .playsUsedUp: LearnerPageText.playsUsedUp(in: locale.language, count: Int(clamping: number("granted")))
        case .playTimeUsedUp:
            LearnerPageText.playTimeUsedUp(
                in: locale.language, ["time": number("grantedSeconds").playTime(in: locale.language)])
        case .checkInOverdue: dated(.checkInOverdue, "checkInBy", locale)
        case .playerExpired: dated(.playerExpired, "reportedAt", locale)
        case .onlineNeeded: LearnerPageText.onlineNeeded(in: locale.language)
        case .contentClockSetBack: LearnerPageText.clockSetBack(in: locale.language)
        default: nil
        }
    }

    private func enrolmentWords(_ locale: PageLocale) -> String? {
        switch code {
        case .enrolmentUnknown: LearnerPageText.enrolmentUnknown(in: locale.language)
        case .enrolmentPaused: LearnerPageText.enrolmentPaused(in: locale.language)
        case .enrolmentEnded:
            fact("endedAt") == nil
                ? LearnerPageText.enrolmentEnded(in: locale.language) : dated(.enrolmentEndedOn, "endedAt", locale)
        case .enrolmentNotStarted: dated(.enrolmentStarts, "startsAt", locale)
        case .deviceLimitReached:
            LearnerPageText.deviceLimit(
                in: locale.language, count: Int(clamping: number("deviceLimit")),
                ["devices": String(number("devices"))])
        default: nil
        }
    }

    /// The sentence about a renewal that the server refuses; `nil` for other reasons.
    private func renewalWords(_ locale: PageLocale) -> String? {
        switch code {
        case .notRenewable: LearnerPageText.notRenewable(in: locale.language)
        case .renewalOver:
            fact("renewUntil") == nil
                ? LearnerPageText.renewalsUsed(in: locale.language, count: Int(clamping: number("renewals")))
                : dated(.renewableUntil, "renewUntil", locale)
        case .grantNeeded: LearnerPageText.grantNeeded(in: locale.language)
        default: nil
        }
    }

    /// Why a device wasn't released, in sentences for the holder.
    func toldOfRelease(in locale: PageLocale) -> [String] {
        sentencesOfWait(in: locale) ?? LearnerPageText.releaseOff.paragraphs(in: locale.language)
    }

    private func dated(_ text: LearnerPageText, _ name: String, _ locale: PageLocale) -> String {
        let date = if case .date(let time)? = fact(name) { time.forPeople(in: locale) } else { "?" }
        return text(in: locale.language, ["date": date])
    }

    private func fact(_ name: String) -> Evidence.Value? { evidence.first { $0.name == name }?.value }

    private func number(_ name: String) -> Int64 { if case .number(let number)? = fact(name) { number } else { 0 } }
}

extension ContentOutlook.Help {
    /// The advice to the holder, worded for the learner page.
    ///
    /// - Parameter canRelease: Whether the holder may release a device now; otherwise support must do it.
    func words(canRelease: Bool) -> LearnerPageText {
        switch self {
        case .connect: .connect
        case .wait: .wait
        case .release: canRelease ? .releaseBelow : .releaseBySupport
        case .setClock: .setClock
        case .vendor: .vendor
        }
    }
}

extension ContentOutlook.State {
    /// The label next to an item.
    var label: LearnerPageText {
        switch self {
        case .plays: .playable
        case .renews: .needsRenewal
        case .offered: .notDownloaded
        case .locked: .locked
        }
    }
}

extension Int64 {
    /// A number of seconds as a duration for people.
    func playTime(in language: PageLanguage) -> String {
        let parts: [(Int64, LearnerPageText)] = [
            (self / 3600, .hours), (self / 60 % 60, .minutes), (self % 60, .seconds),
        ]
        let sentences = parts.filter { $0.0 != 0 }.map { $0.1(in: language, ["number": String($0.0)]) }
        return sentences.isEmpty ? LearnerPageText.noTime(in: language) : sentences.joined(separator: " ")
    }
}
