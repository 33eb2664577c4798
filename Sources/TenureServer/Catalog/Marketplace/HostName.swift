/// A host as the catalog names it: a DNS name or an IPv4 address, in lower case, without a port.
enum HostName {
    /// What is wrong with a text as a host, and what would be right; nil when nothing is.
    static func fault(of text: String) -> String? {
        if text.contains("://") { return "must be a host alone, without https://" }
        if text.contains("/") { return "must be a host alone, without a path" }
        if text.contains(":") { return "must be a host alone, without a port: devices use 443" }
        if text.utf8.contains(where: { (0x41...0x5A).contains($0) }) { return "must be in lower case" }
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isHost = (1...253).contains(text.utf8.count) && labels.allSatisfy(isLabel)
        return isHost ? nil : "must be a host such as market.example: letters, digits and - between dots"
    }

    private static func isLabel(_ label: Substring.UTF8View.SubSequence) -> Bool {
        (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
            && label.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "-"): true
                default: false
                }
            }
    }
}
