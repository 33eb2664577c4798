import TenureCore
import TenureCrypto
import TenureFormats
import TenureMarketplace

extension ConformanceOptions {
    /// The id of the device that requests licenses.
    ///
    /// The id is the same for every run with this server and account, so that later runs don't activate another device.
    /// If no account is named, the token identifies the account.
    var device: [UInt8] {
        let account = account ?? token.map { Hex.encode(SHA256.hash(Array($0.utf8))) } ?? ""
        return Array(SHA256.hash(Array("tenure-conformance\n\(address.domain)\n\(account)".utf8)).prefix(16))
    }
}

/// The device that a run leaves on the server, where it counts against limits until its licenses expire.
struct ConformanceRemains: Sendable, Hashable {
    /// The device's id in base64, as requests contain it.
    let device: String
    /// The ids of the licenses that the server granted to the device.
    let licenses: [UInt64]
    /// A sentence on whether and how the device can be released.
    let sentence: String
}

extension ConformanceQuestion {
    /// Whether the response can contain a new license.
    fileprivate var mayLeaveLicense: Bool { rawValue.hasPrefix("license") || self == .renewalCreates }
}

extension SeenMarketplace {
    /// The device and licenses that the run leaves on the server; `nil` if no license was granted.
    var remains: ConformanceRemains? {
        // A faulty server may grant a license that it should refuse.
        let granted = ConformanceQuestion.allCases.filter(\.mayLeaveLicense).compactMap(granted).flatMap(\.licenses)
        let licenses = Set(granted.map(\.licenseID)).sorted()
        guard !licenses.isEmpty else { return nil }
        let commands = licenses.map { "`tenure license return \($0)`" }.joined(separator: " and ")
        return ConformanceRemains(
            device: Base64.encode(options.device), licenses: licenses,
            sentence: isTenure
                ? "This run's device counts against limits until its license expires. Run \(commands) to release it "
                    + "now."
                : "This run's device counts against limits until its license expires; no request can release it. "
                    + "Later runs use the same device."
        )
    }

    /// Whether the server is Tenure, judging by the URL of its signing certificate.
    private var isTenure: Bool {
        let parts = (places?.signingCertificateURL ?? "").split(atByte: "/").dropFirst(2)
        return parts.count == 4 && parts.first == "marketplace" && parts.dropFirst(2).first == "certificates"
    }
}
