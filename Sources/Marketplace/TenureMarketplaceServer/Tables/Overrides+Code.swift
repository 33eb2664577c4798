import FoundationEssentials
package import TenureCore
package import TenureMarketplace
import TenureServerKit

extension Marketplace {
    /// Encodes overrides as a JSON object that maps each app to an object of strings, sorted by name.
    package static func code(_ overrides: [AppleItemID: [String: String]]) -> String {
        object(
            overrides.map { item, places in
                (item.description, object(places.map { name, path in (name, quoted(path)) }))
            })
    }

    /// Decodes the output of ``code(_:)``; `nil` for any other text.
    package static func overrides(code: String) -> [AppleItemID: [String: String]]? {
        if code == "{}" { return [:] }
        guard let members = try? JSONDecoder().decode([String: [String: String]].self, from: Data(code.utf8)) else {
            return nil
        }
        var overrides: [AppleItemID: [String: String]] = [:]
        for (name, places) in members {
            guard let item = AppleItemID(text: name) else { return nil }
            overrides[item] = places
        }
        return overrides
    }

    private static func object(_ members: [(name: String, value: String)]) -> String {
        let sorted = members.sorted { one, other in one.name < other.name }
        return "{\(sorted.map { "\(quoted($0.name)):\($0.value)" }.joined(separator: ","))}"
    }
}

extension Marketplace.FormerPath {
    /// Encodes paths as lines of path, name and time; none of them contains a space.
    static func code(_ paths: [Marketplace.FormerPath]) -> String {
        paths.map { "\($0.path) \($0.name) \($0.until.seconds)" }.joined(separator: "\n")
    }

    /// Decodes the output of ``code(_:)``; `nil` for any other text.
    static func paths(code: String) -> [Marketplace.FormerPath]? {
        var paths: [Marketplace.FormerPath] = []
        for line in code.utf8.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
            guard words.count == 3, let seconds = Int64(words[2]) else { return nil }
            paths.append(Marketplace.FormerPath(path: words[0], name: words[1], until: Timestamp(seconds: seconds)))
        }
        return paths
    }
}
