import TenureCore
import TenureFormats

/// A marketplace's `/.well-known/marketplace-kit` as a device reads it (Apple's documentation).
struct ServedConfiguration: Sendable, Hashable {
    /// The URLs of the endpoints, for all apps or for one.
    struct Places: Sendable, Hashable {
        /// The endpoint for licenses of apps and versions that are new to the device.
        let dynamicLicenseURL: String
        /// The endpoint for renewals of licenses that the device has.
        let licenseRenewalURL: String
        /// The page for an expired license; `nil` if the marketplace has none.
        let licenseResolutionURL: String?
        /// The URL of the certificate that verifies licenses.
        let signingCertificateURL: String
        /// The URL of the certificate whose key encrypts license requests.
        let encryptionCertificateURL: String
        /// The endpoint for restoring apps.
        let restore: String
        /// The endpoint for new versions.
        let updates: String
        /// The shortest time between two update checks, in hours.
        let pollingIntervalHours: Int64
    }

    private let places: Places
    private let overrides: [AppleItemID: Places]

    /// Reads a configuration and ignores unknown members.
    ///
    /// - Throws: `.badAnswer`; the message names the member.
    init(json: [UInt8]) throws(DeviceError) {
        let root: FlatObject
        do throws(JSONError) {
            root = try FlatObject(scanning: json)
        } catch {
            throw DeviceError(.badAnswer, "The marketplace's configuration isn't a JSON object: \(error.message).")
        }
        places = try Places(root, at: "")
        var overrides: [AppleItemID: Places] = [:]
        if let list = root.object("overridesByAppleItemID").value {
            for name in list.names {
                guard let item = AppleItemID(text: name), let own = list.object(name).value else { continue }
                overrides[item] = try Places(own, at: "overridesByAppleItemID/\(name)/")
            }
        }
        self.overrides = overrides
    }

    /// Returns the endpoints for an app: those of the app's override if there is one, otherwise the standard endpoints.
    func places(for item: AppleItemID) -> Places { overrides[item] ?? places }

    /// All URLs of the configuration, including those of overrides.
    var urls: [String] {
        ([places] + overrides.values).flatMap { places in
            [
                places.dynamicLicenseURL, places.licenseRenewalURL, places.licenseResolutionURL,
                places.signingCertificateURL, places.encryptionCertificateURL, places.restore, places.updates,
            ].compactMap(\.self)
        }
    }

    /// The endpoints for apps without their own configuration.
    var standard: Places { places }
}

extension ServedConfiguration.Places {
    fileprivate init(_ object: FlatObject, at pointer: String) throws(DeviceError) {
        guard let license = object.object("license").value else { throw .missing(pointer + "license") }
        guard let updates = object.object("updates").value else { throw .missing(pointer + "updates") }
        dynamicLicenseURL = try license.url("dynamicLicenseURL", at: pointer + "license/")
        licenseRenewalURL = try license.url("licenseRenewalURL", at: pointer + "license/")
        licenseResolutionURL = license.string("licenseResolutionURL").value
        signingCertificateURL = try license.url("signingCertificateURL", at: pointer + "license/")
        encryptionCertificateURL = try license.url("encryptionCertificateURL", at: pointer + "license/")
        restore = try object.url("restore", at: pointer)
        self.updates = try updates.url("url", at: pointer + "updates/")
        pollingIntervalHours = updates.integer("pollingInterval").value ?? 24
    }
}

extension FlatObject {
    fileprivate func url(_ name: String, at pointer: String) throws(DeviceError) -> String {
        guard let url = string(name).value, !url.isEmpty else { throw .missing(pointer + name) }
        return url
    }
}

extension DeviceError {
    fileprivate static func missing(_ member: String) -> DeviceError {
        DeviceError(.badAnswer, "The marketplace's configuration lacks \(member). Ask the marketplace's operator.")
    }
}
