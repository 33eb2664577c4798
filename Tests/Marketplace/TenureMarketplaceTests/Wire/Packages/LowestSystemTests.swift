import TenureMarketplace
import Testing

@Suite struct `The lowest systems of a package` {
    /// The app's minimum system, the systems of its install targets, and the resulting lowest systems of phones and
    /// tablets.
    @Test(
        arguments: [
            ("15.0", ["iPhone14,8": "17", "iPad16,3-A": "17"], "17", "17"),
            ("17.6", ["iPhone14,8": "17.4", "iPad16,3-A": "18"], "17.6", "18"),
            ("17.4", ["iPhone14,8": "17.4"], "17.4", nil),
            ("15.0", ["iPhone14,8": "18", "iPhone15,2": "17"], "17", nil),
            ("17.4", ["AppleTV14,1": "17.4"], nil, nil),
        ] as [(String, [String: String], String?, String?)])
    func `a platform's lowest system is the app's minimum or the platform's oldest install target, if that is newer`(
        needed: String, buckets: [String: String], phone: String?, tablet: String?
    ) throws {
        let targets = buckets.sorted { $0.key < $1.key }
            .map { #"{"device": "\#($0.key)", "os": "\#($0.value)"}"# }.joined(separator: ", ")
        let text = try SampleManifest.text()
            .replacing(#""ios": "17.4""#, with: #""ios": "\#(needed)""#)
            .replacing("iPhone12,1", with: "AppleTV11,1")
            .replacing(
                #/"installTargets": \[[^\]]*\]/#, with: #""installTargets": [\#(targets)]"#, maxReplacements: 1)
        let manifest = try PackageManifest(parsing: Array(text.utf8))
        #expect(manifest.lowestSystems[.iOS]?.description == phone)
        #expect(manifest.lowestSystems[.iPadOS]?.description == tablet)
    }
}
