import TenureCore
import TenureServerKit

/// The sentences of a license's page.
enum LicensePageText: String, PageText {
    case closedTitle, closedText, linkShows, matter
    case yourLicense, plan, key, validUntil, expiredOn, worksUntil, neverExpires, starts, startsWhenActivated,
        startsByThen
    case notActivated, active, inGrace, expired, suspended, revoked, returned
    case whyTitle, graceTitle, whatHelps, whenItChanges, renew
    case statedReason, suspendedReason, suspendedHelp, settleHelp, suspendedChange
    case revokedReason, revokedHelp, revokedChange
    case returnedReason, returnedHelp, expiredReason, expiredAfterGraceReason, graceReason
    case renewHelp, renewInTimeHelp, askToRenewHelp, reducedMode, renewChange, otherHelp, otherChange, dateChange
    case yourDevices, noDevice, noDeviceOfLimit, devicesInUse, devicesActive, devicesHidden
    case limitReached, releaseToActivate, askToRelease, devicesUsedUp
    case unnamedDevice, activeSince, lastSeen
    case release, releaseWarning, releaseNow, releasesLeft, releaseOff, releaseStopped, releaseCooldown, releasesUsedUp
    case noSuchDevice

    static func words(in language: PageLanguage) -> [LicensePageText: Wording] {
        switch language {
        case .english: english
        case .german: german
        case .korean: korean
        case .japanese: japanese
        }
    }
}
