import TenureCore

/// A device's name as people type it: without regard to case, spacing, and the form of apostrophes, quotes and dashes.
///
/// Systems name devices with typographic characters ("Ada’s MacBook"), which keyboards don't have.
struct DeviceNameText: Equatable {
    private let text: FoldedText

    init(_ name: String) {
        var plain = String.UnicodeScalarView()
        for scalar in name.unicodeScalars { plain.append(Self.plain[scalar] ?? scalar) }
        text = FoldedText(String(plain))
    }

    private static let plain: [Unicode.Scalar: Unicode.Scalar] = {
        let alike: [(Unicode.Scalar, String)] = [
            ("'", "\u{2018}\u{2019}\u{201B}\u{2032}\u{02BC}\u{FF07}\u{0060}\u{00B4}"),
            ("\"", "\u{201C}\u{201D}\u{201E}\u{201F}\u{2033}\u{00AB}\u{00BB}\u{FF02}"),
            ("-", "\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}\u{FF0D}"),
        ]
        return Dictionary(
            alike.flatMap { plain, others in others.unicodeScalars.map { ($0, plain) } },
            uniquingKeysWith: { one, _ in one }
        )
    }()
}
