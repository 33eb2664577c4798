import TenureCore

/// The sentences that all pages share: header, footer, dates, one-time links and the outcomes of actions.
package enum FrameText: String, PageText {
    case skip, view, language, timeZone, apply
    case simulated, virtualClock
    case nothingHere, homeTitle, homeLead, homeText, homeProgram
    case signedInAs, license, signOut, close
    case supportEmail, supportSite, supportBoth, supportReference, homepage
    case timeNow, timeInMinutes, timeInHours, timeInDays, timeMinutesAgo, timeHoursAgo, timeDaysAgo
    case linkTitle, linkWorksOnce, linkStaysSignedIn, linkStaysOpen, goOn
    case toStart, toDevices, toLicense, showApp
    case released, releasedText, stopped, stoppedText, asked, askedText, askedInVain, askedInVainText
    case over, overText, unknownLicense, unknownLicenseText, noSession, noSessionText, linkSpent, linkSpentText
    case formRefused, formRefusedText, tooMany, tooManyText, busy, busyText, failed, failedText
    case yourDevices, lastSeen, release, releaseNow, releasesLeft, releaseCooldown, releasesUsedUp
    case deviceReleased, deviceReleasedText, deviceKept, pageClosed, pageClosedText
    case pageLinkSpent, pageLinkSpentText, contentsReleased, contentsReleasedText, signedOut, signedOutText

    package static func words(in language: PageLanguage) -> [FrameText: Wording] {
        switch language {
        case .english: FrameEnglish.words
        case .german: FrameGerman.words
        case .korean: FrameKorean.words
        case .japanese: FrameJapanese.words
        case .french: FrameFrench.words
        case .spanish: FrameSpanish.words
        case .simplifiedChinese: FrameSimplifiedChinese.words
        }
    }
}
