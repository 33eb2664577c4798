import TenureCore
import TenureCrypto
import TenureFormats

/// Which requests a run may send.
enum ConformanceMode: String, Sendable, CaseIterable {
    /// Only GET and HEAD requests that any visitor may send to any server.
    case read
    /// All requests, including broken ones; only for servers of your own.
    case full
}

/// The settings of a run: the server, the mode, and the app and account to use.
struct ConformanceOptions: Sendable {
    /// The server to check, with the marketplace's domain.
    let address: ServerAddress
    /// Which requests may be sent to the server.
    let mode: ConformanceMode
    /// Whether read mode also sends one restore request and one updates request.
    var asksUpdates = false
    /// The package's base URL, without `manifest.json`; `nil` to use the URL that a response to a restore or updates
    /// request contains.
    var packageURL: String?
    /// The app that requests for restores, updates and licenses name; `nil` to skip these requests.
    var item: AppleItemID?
    /// A version of that app; `nil` for the newest one offered.
    var version: AppleVersionID?
    /// The account whose user signs in with ``password``; `nil` to skip sign-in.
    var account: String?
    /// The account's bearer token; `nil` if there isn't one.
    var token: String?
    /// The account's password; `nil` to skip sign-in.
    var password: String?
    /// The public key that verifies install tokens; `nil` to skip the check of their signatures.
    var publicKey: P256.PublicKey?

    /// Creates options for a server and a mode; everything else is unset.
    init(_ address: ServerAddress, mode: ConformanceMode) {
        self.address = address
        self.mode = mode
    }

    /// Whether the server runs on this machine.
    var isHere: Bool { address.unixSocket != nil || Self.isHere(address.origin) }

    /// Whether a URL's host is this machine.
    static func isHere(_ url: String) -> Bool { WebURL(url)?.isThisMachine ?? false }

    /// The host of an HTTP or HTTPS URL, in lower case, without port and brackets; `nil` for anything else.
    static func host(of url: String) -> String? {
        WebURL(url).flatMap { ["http", "https"].contains($0.scheme) ? $0.host : nil }
    }
}

/// The random values of a run, drawn in advance so that the remaining logic is deterministic.
struct ConformanceDraw: Sendable {
    /// The id of a device that never receives a license.
    let otherDevice: [UInt8]
    let requestID: UInt64
    let verifier: String
    let client: String
    /// A random text, used as a token, a code and a file name that the server can't have issued.
    let nothing: String

    /// Draws the random values of one run.
    init() {
        otherDevice = SecureRandom.bytes(16)
        requestID = .random(in: 1...UInt64(Int64.max) >> 8)
        verifier = Self.word(32)
        client = "conformance-" + Self.word(8)
        nothing = Self.word(16)
    }

    private static func word(_ bytes: Int) -> String { Hex.encode(SecureRandom.bytes(bytes)) }
}
