/// Pages that belong together, each under a first segment of its own: no cookie of one is sent to another.
package enum PageSite: String, Sendable, Hashable {
    /// For people whose app does not open (seed 001).
    case resolution = "resolve"
    /// For the holder of one license.
    case holder = "portal"

    /// What a letter from these pages is about.
    var matter: String {
        switch self {
        case .resolution: "an app does not open"
        case .holder: "devices of a license"
        }
    }
}
