import TenureCore
import TenureFormats
import TenureMarketplace

/// The response of `/.well-known/marketplace-kit` (Apple's documentation), which lists a marketplace's endpoints.
struct MarketplaceConfiguration: Sendable, Hashable {
    /// The endpoints of a configuration.
    ///
    /// An app with overrides has a complete set of its own.
    struct Places: Sendable, Hashable {
        var dynamicLicenseURL: String
        var licenseRenewalURL: String
        /// The resolution page; `nil` if expired licenses show the plain alert.
        var licenseResolutionURL: String?
        var signingCertificateURL: String
        var encryptionCertificateURL: String
        var restore: String
        var updates: String
        var pollingIntervalHours: Int
    }

    var places: Places
    var overrides: [AppleItemID: Places]

    /// Creates a marketplace's configuration with URLs below an origin such as `https://market.example`.
    init(_ marketplace: Marketplace, of tenant: TenantID, under origin: String, keys: NamedMarketplaceKeys) {
        let paths = MarketplacePaths(tenant: tenant)
        let places = Places(
            dynamicLicenseURL: origin + paths.licenses, licenseRenewalURL: origin + paths.renewal,
            licenseResolutionURL: marketplace.resolutionPage ? origin + paths.resolution : nil,
            signingCertificateURL: origin + paths.certificate(keys.signing),
            encryptionCertificateURL: origin + paths.certificate(keys.encryption), restore: origin + paths.restore,
            updates: origin + paths.updates, pollingIntervalHours: marketplace.pollingIntervalHours)
        self.places = places
        overrides = marketplace.overrides.mapValues { changes in
            var own = places
            for (name, path) in changes { own.override(name, with: path.hasPrefix("/") ? origin + path : path) }
            return own
        }
    }

    func json() -> [UInt8] {
        JSONWriter.object { body in
            places.write(to: &body)
            if !overrides.isEmpty {
                body.object("overridesByAppleItemID") { list in
                    for (item, places) in overrides.sorted(by: { $0.key < $1.key }) {
                        list.object(item.description) { places.write(to: &$0) }
                    }
                }
            }
        }
    }
}

extension MarketplaceConfiguration.Places {
    /// Replaces the endpoint with that name.
    ///
    /// Other names are ignored; the catalog has already rejected them.
    mutating func override(_ name: String, with path: String) {
        switch name {
        case "license.dynamicLicenseURL": dynamicLicenseURL = path
        case "license.licenseRenewalURL": licenseRenewalURL = path
        case "license.licenseResolutionURL": licenseResolutionURL = path
        case "license.signingCertificateURL": signingCertificateURL = path
        case "license.encryptionCertificateURL": encryptionCertificateURL = path
        case "restore": restore = path
        case "updates.url": updates = path
        case "updates.pollingInterval": pollingIntervalHours = Int(path) ?? pollingIntervalHours
        default: break
        }
    }

    func write(to body: inout JSONObjectWriter) {
        body.object("license") { license in
            license.member("dynamicLicenseURL", dynamicLicenseURL)
            license.member("licenseRenewalURL", licenseRenewalURL)
            if let licenseResolutionURL { license.member("licenseResolutionURL", licenseResolutionURL) }
            license.member("signingCertificateURL", signingCertificateURL)
            license.member("encryptionCertificateURL", encryptionCertificateURL)
        }
        body.member("restore", restore)
        body.object("updates") { updates in
            updates.member("url", self.updates)
            updates.member("pollingInterval", pollingIntervalHours)
        }
    }
}
