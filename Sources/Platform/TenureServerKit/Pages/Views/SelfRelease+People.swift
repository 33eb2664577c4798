package import TenureCore

extension SelfRelease.Remaining {
    /// How many devices the holder may release, or the date of the next possible release, in sentences.
    package func sentences(in locale: PageLocale) -> [String] {
        guard let nextAt else { return [FrameText.releasesLeft(in: locale.language, count: left)] }
        return Reason(left > 0 ? .selfReleaseCooldown : .selfReleaseUsedUp, changesAt: nextAt)
            .sentencesOfWait(in: locale) ?? []
    }
}

extension Reason {
    /// The date from which the holder may release another device, in sentences.
    ///
    /// The result is `nil` if the reason doesn't limit releases, or has no date.
    package func sentencesOfWait(in locale: PageLocale) -> [String]? {
        guard let changesAt else { return nil }
        let text: FrameText
        switch code {
        case .selfReleaseCooldown: text = .releaseCooldown
        case .selfReleaseUsedUp: text = .releasesUsedUp
        default: return nil
        }
        return text.paragraphs(in: locale.language, ["date": changesAt.forPeople(in: locale)])
    }
}
