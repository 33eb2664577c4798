extension Language {
    /// Returns the language of each tag in one person's list; `nil` for a tag whose language isn't supported.
    ///
    /// Tags are BCP 47 language tags, such as `de-AT`, or POSIX locales, such as `ja_JP.UTF-8`. Script and region matter
    /// only for Chinese, where they select simplified or traditional characters.
    ///
    /// - Parameter tags: The person's tags, in the order in which they are listed.
    package static func named(by tags: [String]) -> [Language?] {
        var readsTraditional = false
        return tags.map { tag in
            let parts = tag.asciiLowercased.unicodeScalars.split {
                !(0x30...0x39).contains($0.value) && !(0x61...0x7A).contains($0.value)
            }.map { String($0) }
            guard parts.first == "zh" else { return parts.first.flatMap(Language.init(rawValue:)) }
            let isTraditional = !parts.contains("hans") && !traditional.isDisjoint(with: parts)
            readsTraditional = readsTraditional || isTraditional
            // Browsers and systems add a bare `zh` after `zh-TW`; such a `zh` doesn't request simplified characters.
            let isSimplified = parts.count > 1 ? !isTraditional : !readsTraditional
            return isSimplified ? .simplifiedChinese : nil
        }
    }

    /// The script and the regions that mean traditional characters.
    private static let traditional: Set<String> = ["hant", "tw", "hk", "mo"]
}
