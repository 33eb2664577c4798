public import TenureCore
import TenureFormats

/// A license key as somebody typed it, ready to be looked up.
public struct PresentedKey: Sendable, Hashable {
    /// The hash of its normal form.
    public let hash: Digest

    /// The hash with look-alikes read as the characters they resemble; nil when the text has not the shape of a minted
    /// key, or has no look-alike in it. Tried only when the first finds nothing (design §6).
    public let lookAlikeHash: Digest?

    private let text: LicenseKeyText

    /// Takes what was typed; nil when it is nothing but white space.
    public init?(_ typed: String) {
        guard let text = LicenseKeyText(typed) else { return nil }
        self.init(text)
    }

    private init(_ text: LicenseKeyText) {
        hash = text.digest
        lookAlikeHash = text.withoutLookAlikes?.digest
        self.text = text
    }

    /// The same without what copying puts into a text, such as spaces of other kinds; nil when there is none of that.
    /// Tried only when nothing goes by the key itself, look-alikes included.
    var asPasted: PresentedKey? { text.asPasted.map { PresentedKey($0) } }

    /// The reading that has a minted key's shape and check character; nil if no reading has.
    ///
    /// Such a key has 75 random bits, so answering it tells a guesser nothing.
    var minted: PresentedKey? {
        let pasted = text.asPasted
        return [text, text.withoutLookAlikes, pasted, pasted?.withoutLookAlikes].compactMap(\.self)
            .first(where: \.looksMinted).map { PresentedKey($0) }
    }

    /// The hashes of all that it may be read as, the likeliest first.
    var readings: [Digest] {
        [hash, lookAlikeHash, asPasted?.hash, asPasted?.lookAlikeHash].compactMap(\.self)
    }

    /// What a lease in Keylight's format says of the key with which this license was found.
    ///
    /// Installed clients compare it with what they sent, and know of look-alikes and nothing else: after any other
    /// reading of the text the lease has the hash of the text as it was sent.
    func bound(of license: License) -> Digest {
        let known = license.key.hash
        return known == hash || known == lookAlikeHash ? known : hash
    }

    /// Asks for the key as it was typed, and once more as it was probably meant if nobody has it.
    func tried<Outcome>(
        isUnknown: (Outcome) -> Bool, _ look: (PresentedKey) async throws -> Outcome
    ) async rethrows -> Outcome {
        let outcome = try await look(self)
        guard isUnknown(outcome), let pasted = asPasted else { return outcome }
        return try await look(pasted)
    }
}
