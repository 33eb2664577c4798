import TenureCore
public import TenureCrypto
import TenureFormats

/// What a marketplace asks App Store Connect with: an API key, and where it asks.
public struct Connection: Sendable {
    /// Whose key it is: the issuer's UUID.
    public let issuer: String
    /// Apple's name for the key.
    public let keyID: String
    /// The key.
    public let key: P256.PrivateKey
    /// Where App Store Connect is: scheme and host, and a port where it is not the usual one.
    public let url: String

    /// Apple's own.
    public static let standardURL = "https://api.appstoreconnect.apple.com"

    /// Puts a connection together; refuses, with the end of a sentence about the option, what cannot be used.
    public init(
        issuer: String, keyID: String, key: P256.PrivateKey, url: String = standardURL
    ) throws(Fault) {
        guard AssetID(issuer) != nil else { throw Fault("--issuer-id: write the UUID that App Store Connect shows") }
        guard AssetID(keyID) != nil else { throw Fault("--key-id: write the key's name, such as 2X9R4HXF34") }
        guard let place = WebPlace(url), place.path.isEmpty else {
            throw Fault("--url: write scheme and host alone, such as \(Self.standardURL)")
        }
        guard place.isSecure || place.isLoopback else {
            throw Fault("--url: http is for loopback alone; write https")
        }
        self.issuer = issuer
        self.keyID = keyID
        self.key = key
        self.url = place.origin
    }

    /// Why a connection cannot be used.
    public struct Fault: Error, Sendable, CustomStringConvertible {
        /// The end of a sentence.
        public let description: String

        init(_ description: String) { self.description = description }
    }

    /// What is asked with: a token that ends in a quarter of an hour. Throws `CryptoError`.
    func token(at now: Timestamp) throws(CryptoError) -> String {
        let payload = JSONWriter.object { payload in
            payload.member("iss", issuer)
            payload.member("iat", now.seconds)
            payload.member("exp", now.seconds + 900)
            payload.member("aud", "appstoreconnect-v1")
        }
        let input = JWSSigningInput(algorithm: .es256, type: "JWT", payload: payload) { header in
            header.member("kid", keyID)
        }
        return String(decoding: input.compact(signature: try key.sign(input.bytes)), as: UTF8.self)
    }

    /// All of it, to be sealed. Throws `CryptoError`.
    func json() throws(CryptoError) -> [UInt8] {
        let key = Base64.encode(try key.der())
        return JSONWriter.object { object in
            object.member("issuer", issuer)
            object.member("keyID", keyID)
            object.member("key", key)
            object.member("url", url)
        }
    }

    /// Reads what ``json()`` gave; nil for anything else.
    init?(json: [UInt8]) {
        guard let object = try? FlatObject(scanning: json), let issuer = object.string("issuer").value,
            let keyID = object.string("keyID").value,
            let der = object.string("key").value.flatMap({ Base64.decode($0) }),
            let key = try? P256.PrivateKey(der), let url = object.string("url").value
        else { return nil }
        try? self.init(issuer: issuer, keyID: keyID, key: key, url: url)
    }
}

/// An absolute address on the web, taken apart as far as it matters who may be asked.
struct WebPlace: Sendable, Hashable {
    /// Whether it is https.
    let isSecure: Bool
    /// The host in small letters, without brackets.
    let host: String
    /// Scheme, host and port.
    let origin: String
    /// All that follows, from the slash on; empty where nothing does.
    let path: String

    /// Refuses what is no plain http or https address: one with a name before the host, too.
    init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x5C }
        guard text.utf8.count <= 8192, isPlain else { return nil }
        let lower = text.lowercased()
        let scheme: String
        if lower.hasPrefix("https://") {
            scheme = "https://"
        } else if lower.hasPrefix("http://") {
            scheme = "http://"
        } else {
            return nil
        }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }.lowercased()
        guard !authority.isEmpty, !authority.contains("@") else { return nil }
        isSecure = scheme == "https://"
        path = String(rest.dropFirst(authority.count))
        origin = scheme + authority
        if authority.hasPrefix("[") {
            host = String(authority.dropFirst().prefix { $0 != "]" })
        } else {
            host = String(authority.prefix { $0 != ":" })
        }
        guard !host.isEmpty else { return nil }
    }

    /// Whether it is this machine, by its name or address.
    var isLoopback: Bool {
        host == "localhost" || host == "::1"
            || (host.hasPrefix("127.") && host.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) })
    }
}
