public import TenureCore
import TenureLicensing

/// A license key as a person typed it, ready to be looked up.
public struct PresentedKey: Sendable, Hashable {
    /// The hash of the key's normal form.
    public let hash: Digest

    /// The hash with look-alike characters replaced.
    ///
    /// It's `nil` if the text doesn't have the form of a minted key, or has no look-alikes. It's tried only if the
    /// first hash finds nothing.
    public let lookAlikeHash: Digest?

    private let text: LicenseKeyText

    /// The prefix of the product's keys, for a minted key that was typed without it; `nil` if it isn't known.
    private var prefix: LicenseKeyPrefix?

    /// Creates a key from typed text; returns `nil` if the text is only white space or has more than 4,096 bytes.
    public init?(_ typed: String) {
        guard let text = LicenseKeyText(typed) else { return nil }
        self.init(text)
    }

    private init(_ text: LicenseKeyText) {
        hash = text.digest
        lookAlikeHash = text.withoutLookAlikes?.digest
        self.text = text
    }

    /// The key as typed for a product whose keys have this prefix.
    func under(_ prefix: LicenseKeyPrefix?) -> PresentedKey {
        var key = self
        key.prefix = prefix
        return key
    }

    /// The key without characters that copying adds, such as special spaces; `nil` if it has none.
    ///
    /// It's tried only if the key itself, look-alikes included, finds nothing.
    var asPasted: PresentedKey? { text.asPasted.map { PresentedKey($0) } }

    /// The minted key that the text contains, however it's written; `nil` if there isn't one.
    ///
    /// It's tried last.
    var asMinted: PresentedKey? { text.asMinted(under: prefix).map { PresentedKey($0) } }

    /// The reading that has the form and check character of a minted key; `nil` if no reading has them.
    ///
    /// Such a key has 75 random bits, so a response to it reveals nothing to a guesser.
    var minted: PresentedKey? {
        let pasted = text.asPasted
        return [text, text.withoutLookAlikes, pasted, pasted?.withoutLookAlikes, text.asMinted(under: prefix)]
            .compactMap(\.self)
            .first(where: \.looksMinted).map { PresentedKey($0) }
    }

    /// The hashes of all readings, in the order in which they are tried.
    var readings: [Digest] {
        [hash, lookAlikeHash, asPasted?.hash, asPasted?.lookAlikeHash, asMinted?.hash].compactMap(\.self)
    }

    /// Whether this is the license's current key in one of its readings, and not a key that it had before.
    func isCurrent(of license: License) -> Bool { readings.contains(license.key.hash) }

    /// The key hash that a Keylight-format lease of this license contains.
    ///
    /// Installed clients compare it with the hash of what they sent, and they only replace look-alikes. After any
    /// other reading, the lease contains the hash of the text as sent.
    func bound(of license: License) -> Digest {
        let storedHash = license.key.hash
        return storedHash == hash || storedHash == lookAlikeHash ? storedHash : hash
    }

    /// Looks the key up as typed. If it's unknown, looks it up without characters that copying adds, and then as the
    /// minted key that the text contains.
    func tried<Outcome>(
        isUnknown: (Outcome) -> Bool, _ body: (PresentedKey) throws -> Outcome
    ) rethrows -> Outcome {
        var outcome = try body(self)
        if isUnknown(outcome), let pasted = asPasted { outcome = try body(pasted) }
        if isUnknown(outcome), let minted = asMinted { outcome = try body(minted) }
        return outcome
    }

    /// Looks the key up in the same readings as the synchronous method, with asynchronous look-ups.
    @inline(never)
    func tried<Outcome>(
        isUnknown: (Outcome) -> Bool, _ look: (PresentedKey) async throws -> Outcome
    ) async throws -> Outcome {
        var outcome = try await look(self)
        if isUnknown(outcome), let pasted = asPasted { outcome = try await look(pasted) }
        if isUnknown(outcome), let minted = asMinted { outcome = try await look(minted) }
        return outcome
    }
}
