import Testing

@testable import TenureCore

@Suite struct FoldedTextTests {
    @Test(arguments: [
        ("mia@example.com", "Mia@Example.com"), ("mia@example.com", "  mia@example.com\n"),
        ("Mia Muster", "mia \t  muster"), ("Zoé", "ZOE\u{301}"), ("ÅSE", "a\u{30A}se"), ("Å", "\u{212B}"),
        ("ệ", "Ê\u{323}"), ("ệ", "E\u{323}\u{302}"), ("한글", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"),
        ("が", "か\u{3099}"), ("ΩMEGA", "\u{2126}mega"), ("山田 太郎", "山田\u{3000}太郎"), ("İ", "I\u{307}"),
        ("李", "\u{F9E1}"), ("ДМИТРИЙ", "дмитрии\u{306}"), ("", " \u{A0} "),
    ])
    func `letter case, composition, and the kind and amount of white space around words don't change a text's fold`(
        one: String, other: String
    ) {
        #expect(FoldedText(one) == FoldedText(other))
    }

    @Test(arguments: [
        ("k", "\u{212A}"), ("i", "ı"), ("i\u{307}", "İ"), ("ss", "ß"), ("a", "а"), ("a", "ａ"), (";", "\u{37E}"),
        ("`", "\u{1FEF}"), ("fi", "ﬁ"), ("ab", "a b"), ("mia", "mía"),
    ])
    func `texts that differ by an accent, a ligature, an inner space or a similar character have different folds`(
        one: String, other: String
    ) {
        #expect(FoldedText(one) != FoldedText(other))
    }

    @Test func `a non-ASCII scalar doesn't fold to ASCII, and its fold stays the same when folded again`() {
        for scalar in Self.scalars where !scalar.isASCII {
            let fold = FoldedText("\(Character(scalar))").text
            #expect(fold.unicodeScalars.allSatisfy { !$0.isASCII }, "U+\(String(scalar.value, radix: 16))")
            #expect(FoldedText(fold).text.unicodeScalars.elementsEqual(fold.unicodeScalars))
        }
    }

    @Test func `canonical composition gives the standard library's normal form C of all but six scalars`() {
        let becomeASCII: Set<UInt32> = [0x37E, 0x1FEF, 0x212A]
        // These scalars decompose into marks, which the standard library doesn't order among the other marks.
        let areMarksOnly: Set<UInt32> = [0xF73, 0xF75, 0xF81]
        for scalar in Self.scalars
        where !becomeASCII.contains(scalar.value) && !areMarksOnly.contains(scalar.value) {
            // A mark on either side tests the order of the marks and whether the scalar blocks a composition.
            for text in ["\(Character(scalar))", "e\u{302}\(Character(scalar))\u{323}"] {
                var form = String.UnicodeScalarView()
                form.append(contentsOf: CanonicalComposition.compose(Array(text.unicodeScalars)))
                var normal = String(form)
                if String(form) != text { Issue.record("U+\(String(scalar.value, radix: 16)) becomes another text") }
                let isNormal = normal.withUTF8 { bytes in
                    var span = try? UTF8Span(validating: bytes.span)
                    return span?.checkForNFC(quickCheck: false) ?? false
                }
                if !isNormal { Issue.record("U+\(String(scalar.value, radix: 16)) has no normal form") }
            }
        }
    }

    /// Every assigned scalar outside the ranges in which neither case nor composition exists.
    private static let scalars = [UInt32](0...0x2FFFF).filter { !(0x4E00...0x9FFF).contains($0) }
        .compactMap(Unicode.Scalar.init).filter { $0.properties.generalCategory != .unassigned }
}
