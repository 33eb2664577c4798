import TenureCore
import TenureServerKit

/// The sentences of the learner page, and those that apps and players show.
enum LearnerPageText: String, PageText {
    case matter, linkShows, title, closedText, lead, nothingYet, content, otherContent
    case noneStored, storedOn
    case enrolment, devices, addDevice, devicesOf, devicesUnlimited, fromDate, afterRelease, activeNoEnd, openUntil
    case playable, needsRenewal, notDownloaded, locked
    case untilDate, noExpiry, why, whyNotRenewed, howLong, whatToDo
    case plays, playTime, notReported, playsLeft, playTimeLeft, onlineOnly, detail, noTime, hours, minutes, seconds
    case untilConnects, permanently, untilReleased, untilChanged, more
    case showStored, releaseWarning, device, noSuchDevice
    case deleted, revoked, expired, returned, released, unknown
    case startsOn, expiredOn, windowOver, playsUsedUp, playTimeUsedUp, checkInOverdue, playerExpired, onlineNeeded
    case clockSetBack, enrolmentUnknown, enrolmentPaused, enrolmentEnded, enrolmentEndedOn, enrolmentStarts
    case deviceLimit, notRenewable, renewalsUsed, renewableUntil, grantNeeded
    case releaseOff, connect, wait, releaseBelow, releaseBySupport, setClock, vendor
    case appConnect, appWait, appRelease, appSetClock, appVendor, playerBusy, playerUnread

    static func words(in language: PageLanguage) -> [LearnerPageText: Wording] {
        switch language {
        case .english: LearnerPageEnglish.words
        case .german: LearnerPageGerman.words
        case .korean: LearnerPageKorean.words
        case .japanese: LearnerPageJapanese.words
        case .french: LearnerPageFrench.words
        case .spanish: LearnerPageSpanish.words
        case .simplifiedChinese: LearnerPageSimplifiedChinese.words
        }
    }
}
