import TenureCore
import TenureServerKit

/// The sentences of the resolution page.
enum ResolutionPageText: String, PageText {
    case matter, linkShows
    case publicTitle, publicTitleUnknown, publicLead, sessionEnded, theApp
    case withdrawnMark, withdrawnTitle, withdrawnEnds, withdrawnStays
    case firstTitle, firstConnect, firstReopen, firstOpen, firstStart, showApp, statusTitle
    case whyTitle, whyText, whyExpired, whyExpiredText, whyEnded, whyEndedText, whyLimit, whyLimitText, whyLimitCount
    case whyStopped, whyStoppedText
    case yourApps, appOnDevices, showAll, noApps, noDevice, allFine, needAttention, expireSoon
    case devicesInUse, roomNone, room, olderHidden, noLicense, notYours, accessEndedOn, subscriptionEndedOn, canUse
    case show, device, version
    case licensedSince, lastRenewed, renewalRefused, releasedAt, stoppedAt, expiredAt, expiresAt, never
    case subscriptionEndedAt, accessEndedAt, otherDevices, devicesAllowed
    case otherLimit, otherWithdrawn, otherTooLate, otherSubscription, otherVendor
    case whatToDo, renewNow, releaseNow, releaseWarningExpired, releaseWarning, releaseWarningUntil
    case opens, opensForNow, closed, released, stopped
    case fine, expired, renewalFailed, subscriptionEnded, accessEnded, notGranted, deviceLimit, withdrawn, tooLate
    case suspended, revoked, deviceReleased, vendorSide
    case fineText, perpetualText, expiredText, renewalFailedText, subscriptionEndedText, accessEndedText
    case notGrantedText, deviceLimitText, deviceLimitCount, withdrawnText, tooLateText, suspendedText, revokedText
    case deviceReleasedText, vendorSideText
    case expiredHelp, subscriptionHelp, accessHelp, notGrantedHelp, deviceLimitHelp, withdrawnHelp, tooLateHelp
    case suspendedHelp, revokedHelp, releasedHelp, vendorHelp
    case changesOn, stopsOn

    static func words(in language: PageLanguage) -> [ResolutionPageText: Wording] {
        switch language {
        case .english: ResolutionPageEnglish.words
        case .german: ResolutionPageGerman.words
        case .korean: ResolutionPageKorean.words
        case .japanese: ResolutionPageJapanese.words
        case .french: ResolutionPageFrench.words
        case .spanish: ResolutionPageSpanish.words
        case .simplifiedChinese: ResolutionPageSimplifiedChinese.words
        }
    }
}
