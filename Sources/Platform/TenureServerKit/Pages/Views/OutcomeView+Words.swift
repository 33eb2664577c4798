import TenureCore

extension OutcomeView {
    /// The title and the sentences of the page.
    package func words(in language: PageLanguage) -> (title: String, text: [String]) {
        func words(_ title: FrameText, _ text: FrameText) -> (String, [String]) {
            (title(in: language), text.paragraphs(in: language))
        }
        return switch outcome {
        case .released: words(.released, .releasedText)
        case .stopped: words(.stopped, .stoppedText)
        case .asked(let app, _):
            (FrameText.asked(in: language), FrameText.askedText.paragraphs(in: language, ["app": app]))
        case .askedInVain(let app, let headline, let cure):
            (
                FrameText.askedInVain(in: language),
                [FrameText.askedInVainText(in: language, ["app": app, "problem": headline])] + (cure.map { [$0] } ?? [])
            )
        case .over: words(.over, .overText)
        case .unknownLicense: words(.unknownLicense, .unknownLicenseText)
        case .noSession: words(.noSession, .noSessionText)
        case .linkSpent: words(.linkSpent, .linkSpentText)
        case .formRefused: words(.formRefused, .formRefusedText)
        case .tooMany(let seconds):
            (
                FrameText.tooMany(in: language),
                [FrameText.tooManyText(in: language, count: Int(clamping: max(1, (seconds + 59) / 60)))]
            )
        case .busy: words(.busy, .busyText)
        case .failed: words(.failed, .failedText)
        case .deviceReleased(let name):
            (
                FrameText.deviceReleased(in: language, ["device": name]),
                FrameText.deviceReleasedText.paragraphs(in: language, ["device": name])
            )
        case .placeKept(let sentences): (FrameText.deviceKept(in: language), sentences)
        case .licenseClosed: words(.pageClosed, .pageClosedText)
        case .licenseLinkSpent: words(.pageLinkSpent, .pageLinkSpentText)
        case .contentsReleased(nil): words(.contentsReleased, .contentsReleasedText)
        case .contentsReleased(let name?):
            (
                FrameText.deviceReleased(in: language, ["device": name]),
                FrameText.contentsReleasedText.paragraphs(in: language)
            )
        case .signedOut: words(.signedOut, .signedOutText)
        }
    }
}
