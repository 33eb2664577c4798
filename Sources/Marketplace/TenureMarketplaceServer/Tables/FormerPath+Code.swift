import TenureCore
import TenureMarketplace

extension FormerPath {
    /// Encodes paths as lines of path, name and time; none of them contains a space.
    static func code(_ paths: [FormerPath]) -> String {
        paths.map { "\($0.path) \($0.name) \($0.until.seconds)" }.joined(separator: "\n")
    }

    /// Decodes the output of ``code(_:)``; `nil` for any other text.
    static func paths(code: String) -> [FormerPath]? {
        var paths: [FormerPath] = []
        for line in code.utf8.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
            guard words.count == 3, let seconds = Int64(words[2]) else { return nil }
            paths.append(FormerPath(path: words[0], name: words[1], until: Timestamp(seconds: seconds)))
        }
        return paths
    }
}
