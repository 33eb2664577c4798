import TenureCore
import TenureCrypto

/// Draws the names of so many licenses and activations, in the order of the tables they go into.
///
/// In order, rows are appended instead of scattered, which fills a million in a fraction of the time. Looking one up
/// costs the same.
func drawNames(count: Int) -> [(license: LicenseID, activation: ActivationID)] {
    var random = SecureRandom()
    let licenses = (0..<count).map { _ in LicenseID.random(using: &random) }.sorted()
    let activations = (0..<count).map { _ in ActivationID.random(using: &random) }
        .sorted { ($0.high, $0.low) < ($1.high, $1.low) }
    return Array(zip(licenses, activations)).map { ($0, $1) }
}
