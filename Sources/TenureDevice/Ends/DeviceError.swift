/// Why a device could not do what was asked; never a token in it.
///
/// Two errors are equal when their codes are.
package struct DeviceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Names the kind of failure; an open set.
    package struct Code: Sendable, Hashable, CustomStringConvertible {
        /// As logs and answers spell it, such as `unreachable`.
        package let text: String
        /// Makes a code of its spelling.
        package init(_ text: String) { self.text = text }
        /// The spelling, for messages.
        package var description: String { text }

        /// The server could not be reached, or its answer never came whole.
        package static let unreachable = Code("unreachable")
        /// The server answered with a status other than 200.
        package static let refused = Code("refused")
        /// The server's answer is not what the protocol says.
        package static let badAnswer = Code("bad_answer")
        /// The license can't be read, isn't signed by the marketplace's certificate, or isn't for this request or device.
        package static let invalidLicense = Code("invalid_license")
        /// The marketplace does not license the app to this account and device.
        package static let notLicensed = Code("not_licensed")
        /// The package's manifest, signature or files are not what they should be.
        package static let badPackage = Code("bad_package")
        /// The asset did not come whole; what came and is right is kept.
        package static let brokenDownload = Code("broken_download")
        /// There is no room for the asset.
        package static let noRoom = Code("no_room")
        /// The marketplace no longer has the app: it answered 404 in JSON.
        package static let notAvailable = Code("not_available")
        /// The person has to sign in first.
        package static let signInNeeded = Code("sign_in_needed")
        /// There is something to pay first.
        package static let paymentNeeded = Code("payment_needed")
        /// The package has no variant for this device and system.
        package static let noVariant = Code("no_variant")
        /// The device has no such app.
        package static let notInstalled = Code("not_installed")
        /// The device's folder cannot be read or written.
        package static let badFolder = Code("bad_folder")
    }

    /// The kind of failure.
    package let code: Code

    /// What went wrong and what to do next, for a person.
    package let message: String

    /// How the system names it.
    package let kit: MarketplaceKitError

    /// What the server said; nil where it said nothing.
    package let said: ServerWord?

    /// Describes a failure.
    /// - Parameter kit: How the system names it, where the kind of failure alone does not tell.
    package init(
        _ code: Code, _ message: String, as kit: MarketplaceKitError? = nil, said: ServerWord? = nil
    ) {
        self.code = code
        self.message = message
        self.kit = kit ?? Self.kit[code] ?? .unknown
        self.said = said
    }

    private static let kit: [Code: MarketplaceKitError] = [
        .unreachable: .networkError, .refused: .networkError, .brokenDownload: .networkError,
        .invalidLicense: .invalidLicense, .notLicensed: .invalidLicense, .noVariant: .noSupportedVariant,
        .notInstalled: .appNotInstalled, .badPackage: .invalidManifest, .noRoom: .insufficientStorageSpace,
        .signInNeeded: .oauthTokenError, .paymentNeeded: .cancelled,
    ]

    /// What went wrong and what to do, without the code.
    package var description: String { message }

    /// Compares codes only.
    package static func == (one: DeviceError, other: DeviceError) -> Bool { one.code == other.code }

    /// Hashes the code only.
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
