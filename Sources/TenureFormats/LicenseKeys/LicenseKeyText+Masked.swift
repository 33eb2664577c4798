public import TenureCore

extension LicenseKeyText {
    /// The key with most of it hidden, such as `NOTE-****-****-****-0001`.
    ///
    /// Shown are the product's prefix, when the key begins with it, and the last four characters, when at least eight
    /// others stay hidden and all four are printable ASCII; else nothing is. Hidden groups show as four stars whatever
    /// their length, and at most six of them.
    public func masked(showing prefix: LicenseKeyPrefix?) -> String {
        let dash = UInt8(ascii: "-")
        var groups = bytes.split(separator: dash, omittingEmptySubsequences: false)
        var shown: [String] = []
        if let prefix, groups.count > 1, groups[0].elementsEqual(prefix.text.utf8) {
            shown.append(prefix.text)
            groups.removeFirst()
        }
        let last = groups[groups.count - 1].suffix(4)
        let hidden = groups.reduce(0) { $0 + $1.count } - last.count
        let mayShow = hidden >= 8 && last.count == 4 && last.allSatisfy { (0x21...0x7E).contains($0) }
        guard mayShow else { return (shown + ["****"]).joined(separator: "-") }
        let ending = String(decoding: last, as: UTF8.self)
        let hiddenGroups = min(6, groups[groups.count - 1].count > 4 ? groups.count : groups.count - 1)
        return (shown + Array(repeating: "****", count: hiddenGroups) + [ending]).joined(separator: "-")
    }
}
