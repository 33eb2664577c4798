/// Why a device couldn't carry out a request; the message never contains a token.
///
/// Two errors are equal if their codes are equal.
struct DeviceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure; later versions may add kinds.
    struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The code in logs and responses, such as `unreachable`.
        let text: String
        init(_ text: String) { self.text = text }
        var description: String { text }

        /// The server couldn't be reached, or its response was incomplete.
        static let unreachable = Code("unreachable")
        /// The server responded with a status other than 200.
        static let refused = Code("refused")
        /// The server's response violates the protocol.
        static let badAnswer = Code("bad_answer")
        /// The license can't be read, isn't signed by the marketplace's certificate, or isn't for this request or
        /// device.
        static let invalidLicense = Code("invalid_license")
        /// The marketplace doesn't license the app to this account and device.
        static let notLicensed = Code("not_licensed")
        /// The package's manifest, signature or files are wrong.
        static let badPackage = Code("bad_package")
        /// The asset is incomplete; the verified part stays on the disk.
        static let brokenDownload = Code("broken_download")
        /// The disk has no space for the asset.
        static let noRoom = Code("no_room")
        /// The marketplace no longer has the app: it responded with 404 and a JSON body.
        static let notAvailable = Code("not_available")
        /// The user must sign in first.
        static let signInNeeded = Code("sign_in_needed")
        /// The user must pay first.
        static let paymentNeeded = Code("payment_needed")
        /// The package has no variant for this device and system.
        static let noVariant = Code("no_variant")
        /// The device doesn't have this app.
        static let notInstalled = Code("not_installed")
        /// The device's folder can't be read or written.
        static let badFolder = Code("bad_folder")
    }

    /// The kind of failure, for programs to branch on.
    let code: Code

    /// A sentence for the user: the failure, and the next step.
    let message: String

    /// Apple's error case that the system would report.
    let kit: MarketplaceKitError

    /// The reason from the server's response; `nil` if it gave none.
    let problem: ServerProblem?

    /// Creates an error.
    ///
    /// - Parameter kit: Apple's error case; `nil` to use the case that belongs to the code.
    init(
        _ code: Code, _ message: String, as kit: MarketplaceKitError? = nil, problem: ServerProblem? = nil
    ) {
        self.code = code
        self.message = message
        self.kit = kit ?? Self.kit[code] ?? .unknown
        self.problem = problem
    }

    private static let kit: [Code: MarketplaceKitError] = [
        .unreachable: .networkError, .refused: .networkError, .brokenDownload: .networkError,
        .invalidLicense: .invalidLicense, .notLicensed: .invalidLicense, .noVariant: .noSupportedVariant,
        .notInstalled: .appNotInstalled, .badPackage: .invalidManifest, .noRoom: .insufficientStorageSpace,
        .signInNeeded: .oauthTokenError, .paymentNeeded: .cancelled,
    ]

    /// The message, without the code.
    var description: String { message }

    /// Compares the codes; messages and details don't matter.
    static func == (one: DeviceError, other: DeviceError) -> Bool { one.code == other.code }

    /// Hashes the code, as `==` compares it.
    func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
