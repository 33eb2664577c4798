/// Unicode's normal form C, except that no non-ASCII scalar becomes ASCII.
///
/// The standard library normalizes strings when it compares them, but offers no normal form: `String._nfc` isn't
/// public, and Foundation isn't imported here. The algorithm is that of Unicode Standard Annex #15.
enum CanonicalComposition {
    /// Decomposes scalars, orders their marks, and composes them.
    static func compose(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        if scalars.allSatisfy({ $0.value < firstMark }) { return scalars }
        var composed: [Unicode.Scalar] = []
        var starter: Int?
        var lastClass: UInt8 = 0
        for (scalar, markClass) in ordered(scalars) {
            // A mark can't compose with the starter if a mark of the same or a higher class is between them.
            if let index = starter, lastClass < markClass || index == composed.count - 1,
                let whole = pair(composed[index], scalar)
            {
                composed[index] = whole
                continue
            }
            if markClass == 0 { starter = composed.count }
            lastClass = markClass
            composed.append(scalar)
        }
        return composed
    }

    /// The first scalar that can combine with another one; all before it are in normal form C.
    private static let firstMark: UInt32 = 0x300

    private static func ordered(_ scalars: [Unicode.Scalar]) -> [(scalar: Unicode.Scalar, markClass: UInt8)] {
        var ordered: [(scalar: Unicode.Scalar, markClass: UInt8)] = []
        for scalar in scalars {
            for part in decomposed(scalar) {
                let markClass = part.properties.canonicalCombiningClass.rawValue
                var index = ordered.count
                while markClass > 0, index > 0, ordered[index - 1].markClass > markClass { index -= 1 }
                ordered.insert((part, markClass), at: index)
            }
        }
        return ordered
    }

    private static func decomposed(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        if let parts = Hangul.parts(of: scalar) { return parts }
        guard let parts = CanonicalMappings.all.parts[scalar] else { return [scalar] }
        return parts.flatMap(decomposed)
    }

    private static func pair(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
        Hangul.whole(of: first, second) ?? CanonicalMappings.all.wholes[CanonicalMappings.Pair(first, second)]
    }
}

/// Composes Korean syllables by arithmetic, because the table doesn't contain them.
private enum Hangul {
    private static let (syllables, leads, vowels, tails): (UInt32, UInt32, UInt32, UInt32) = (
        0xAC00, 0x1100, 0x1161, 0x11A7
    )
    private static let (leadCount, vowelCount, tailCount): (UInt32, UInt32, UInt32) = (19, 21, 28)

    static func parts(of scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
        guard scalar.value >= syllables, scalar.value - syllables < leadCount * vowelCount * tailCount else {
            return nil
        }
        let index = scalar.value - syllables
        let tail = index % tailCount
        let parts = [leads + index / (vowelCount * tailCount), vowels + index / tailCount % vowelCount]
        return (tail == 0 ? parts : parts + [tails + tail]).compactMap(Unicode.Scalar.init)
    }

    static func whole(of first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
        if (leads..<leads + leadCount).contains(first.value), (vowels..<vowels + vowelCount).contains(second.value) {
            return Unicode.Scalar(
                syllables + ((first.value - leads) * vowelCount + second.value - vowels) * tailCount)
        }
        let isOpenSyllable =
            (syllables..<syllables + leadCount * vowelCount * tailCount).contains(first.value)
            && (first.value - syllables) % tailCount == 0
        guard isOpenSyllable, (tails + 1..<tails + tailCount).contains(second.value) else { return nil }
        return Unicode.Scalar(first.value + second.value - tails)
    }
}

extension String {
    /// The text in Unicode's normal form C, except that no non-ASCII scalar becomes ASCII.
    package var inNormalFormC: String {
        var composed = String.UnicodeScalarView()
        composed.append(contentsOf: CanonicalComposition.compose(Array(unicodeScalars)))
        return String(composed)
    }
}
