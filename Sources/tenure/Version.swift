/// Which Tenure this is.
enum Version {
    /// The version as in the change log; `-dev` follows the last release until the next one.
    static let current = "0.1.0-dev"
}
