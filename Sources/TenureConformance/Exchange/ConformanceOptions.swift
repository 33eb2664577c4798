package import TenureCore
package import TenureCrypto
package import TenureDevice
import TenureFormats

/// How much is asked of a server.
package enum ConformanceMode: String, Sendable, CaseIterable {
    /// GET and HEAD alone: what any visitor may ask of anybody's server.
    case read
    /// Everything, broken requests too: for whoever runs the server.
    case full
}

/// What a run is about.
package struct ConformanceOptions: Sendable {
    /// The server.
    package let address: ServerAddress
    /// How much is asked of it.
    package let mode: ConformanceMode
    /// Whether one question for a restore and one for updates are asked in read mode too.
    package var asksUpdates = false
    /// Where a package's manifest is, without it; nil takes what a restore answers.
    package var packageURL: String?
    /// An app of the marketplace.
    package var item: AppleItemID?
    /// A version of it; nil takes the newest that is offered.
    package var version: AppleVersionID?
    /// The person's account, which signs in with a password.
    package var account: String?
    /// The account's bearer.
    package var token: String?
    /// The account's password.
    package var password: String?
    /// What install tokens are signed with.
    package var publicKey: P256.PublicKey?

    /// Names a server and a mode.
    package init(_ address: ServerAddress, mode: ConformanceMode) {
        self.address = address
        self.mode = mode
    }

    /// Whether the server is on this machine.
    package var isHere: Bool { address.unixSocket != nil || Self.isHere(address.origin) }

    /// Whether a URL's host is this machine.
    static func isHere(_ url: String) -> Bool { WebURL(url)?.isThisMachine ?? false }

    /// The host of an http or https URL, in lower case, without port and brackets; nil for anything else.
    static func host(of url: String) -> String? {
        WebURL(url).flatMap { ["http", "https"].contains($0.scheme) ? $0.host : nil }
    }
}

/// What is random in a run, drawn before it begins, so that all that follows is told by what was seen.
package struct ConformanceDraw: Sendable {
    /// A device that never gets a license.
    let otherDevice: [UInt8]
    let requestID: UInt64
    let verifier: String
    let client: String
    /// A text that no server can know.
    let nothing: String

    /// Draws.
    package init() {
        otherDevice = SecureRandom.bytes(16)
        requestID = .random(in: 1...UInt64(Int64.max) >> 8)
        verifier = Self.word(32)
        client = "conformance-" + Self.word(8)
        nothing = Self.word(16)
    }

    private static func word(_ bytes: Int) -> String { Hex.encode(SecureRandom.bytes(bytes)) }
}
