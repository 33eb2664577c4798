import TenureCore
import TenureCrypto

/// Generates the ids of licenses and activations, in the order of their tables.
///
/// Ordered rows are appended, which makes filling a million rows much faster. Reading a row costs the same.
func drawNames(count: Int) -> [(license: LicenseID, activation: ActivationID)] {
    var random = SecureRandom()
    let licenses = (0..<count).map { _ in LicenseID.random(using: &random) }.sorted()
    let activations = (0..<count).map { _ in ActivationID.random(using: &random) }
        .sorted { ($0.high, $0.low) < ($1.high, $1.low) }
    return Array(zip(licenses, activations)).map { ($0, $1) }
}
