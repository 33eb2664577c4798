import TenureCore
import TenureServerKit

/// The sentences of a license's page.
enum LicensePageText: String, PageText {
    case closedTitle, closedText, linkShows, matter
    case yourLicense, plan, key, validUntil, expiredOn, worksUntil, neverExpires, starts, startsWhenActivated,
        startsByThen
    case notActivated, active, inGrace, expired, suspended, revoked, returned, testLicense
    case whyTitle, reducedTitle, graceTitle, whatHelps, whenItChanges, renew
    case statedReason, suspendedReason, suspendedHelp, settleHelp, suspendedChange
    case refundSuspends, disputeSuspends, disputeChange
    case revokedReason, revokedHelp, revokedChange, refundRevokes
    case returnedReason, returnedHelp, expiredReason, expiredAfterGraceReason, graceReason
    case renewHelp, renewInTimeHelp, askToRenewHelp, reducedMode, renewChange, otherHelp, otherChange, dateChange
    case noDevice, noDeviceOfLimit, devicesInUse, devicesActive, devicesHidden
    case limitReached, releaseToActivate, askToRelease, devicesUsedUp
    case unnamedDevice, activeSince
    case releaseWarning, releaseOff, releaseStopped, noSuchDevice

    static func words(in language: PageLanguage) -> [LicensePageText: Wording] {
        switch language {
        case .english: LicensePageEnglish.words
        case .german: LicensePageGerman.words
        case .korean: LicensePageKorean.words
        case .japanese: LicensePageJapanese.words
        case .french: LicensePageFrench.words
        case .spanish: LicensePageSpanish.words
        case .simplifiedChinese: LicensePageSimplifiedChinese.words
        }
    }
}
