import TenureCrypto
import TenureDevice
import TenureFormats

extension ConformanceOptions {
    /// The device that licenses are asked for: one for each server and account, so that later runs take no other place.
    ///
    /// An account that is not named is known by its token.
    var device: [UInt8] {
        let account = account ?? token.map { Hex.encode(SHA256.hash(Array($0.utf8))) } ?? ""
        return Array(SHA256.hash(Array("tenure-conformance\n\(address.domain)\n\(account)".utf8)).prefix(16))
    }
}

/// What a run leaves behind at the server: a device that counts against limits until its licenses end.
package struct ConformanceRemains: Sendable, Hashable {
    /// The device, in base64 as requests have it.
    package let device: String
    /// Its licenses, by their numbers.
    package let licenses: [UInt64]
    /// What its operator can do, in a sentence.
    package let sentence: String
}

extension SeenMarketplace {
    /// What the run leaves behind; nil where nothing was granted.
    package var remains: ConformanceRemains? {
        let granted = [Question.license, .licenseNeighbours].compactMap(granted).flatMap(\.licenses)
        let licenses = Set(granted.map(\.licenseID)).sorted()
        guard !licenses.isEmpty else { return nil }
        let commands = licenses.map { "`tenure license return \($0)`" }.joined(separator: " and ")
        return ConformanceRemains(
            device: Base64.encode(options.device), licenses: licenses,
            sentence: isTenure
                ? "This run's device counts against limits until its license ends. \(commands) frees it at once."
                : "This run's device counts against limits until its license ends: no request frees it. Later runs use it too."
        )
    }

    /// Whether the server is Tenure: it serves certificates at addresses of its own.
    private var isTenure: Bool {
        let parts = (places?.signingCertificateURL ?? "").split(separator: "/").dropFirst(2)
        return parts.count == 4 && parts.first == "marketplace" && parts.dropFirst(2).first == "certificates"
    }
}
