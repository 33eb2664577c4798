public import TenureCore

/// A path on this server that an override named until recently.
///
/// Devices and caches still have the configuration that named it, so the path keeps working for some days.
public struct FormerPath: Sendable, Hashable {
    /// The path.
    public let path: String
    /// The endpoint's name in the configuration, such as `restore`.
    public let name: String
    /// The first second at which the path no longer works.
    public let until: Timestamp

    /// Creates a value from its parts.
    public init(path: String, name: String, until: Timestamp) {
        self.path = path
        self.name = name
        self.until = until
    }

    /// How many days a path works after an override stopped naming it.
    public static let days = 7
}

extension Marketplace {
    /// Returns the former paths after a change of the overrides: those that still work, and those that `known` named.
    public func formerPaths(after known: Marketplace, at now: Timestamp) -> [FormerPath] {
        let current = Set(paths.map(\.path))
        let until = now.adding(days: FormerPath.days)
        let left = known.paths.map { FormerPath(path: $0.path, name: $0.name, until: until) }
        var former: [String: FormerPath] = [:]
        for path in known.formerPaths.filter({ $0.until > now }) + left where !current.contains(path.path) {
            former[path.path] = path
        }
        return former.values.sorted { $0.path < $1.path }
    }

    /// The paths on this server that overrides name, with the endpoints' names.
    public var paths: [(path: String, name: String)] {
        overrides.values.flatMap { places in
            places.compactMap { name, place in place.hasPrefix("/") ? (place, name) : nil }
        }
    }
}
