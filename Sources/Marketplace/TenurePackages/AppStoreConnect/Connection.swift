import TenureCore
package import TenureCrypto
import TenureFormats

/// A marketplace's access to App Store Connect: an API key and the address of the API.
package struct Connection: Sendable {
    /// The UUID of the API key's issuer.
    package let issuer: String
    /// The id that App Store Connect assigned to the key, such as `2X9R4HXF34`.
    package let keyID: String
    /// The private key that signs the bearer tokens.
    package let key: P256.PrivateKey
    /// The origin of App Store Connect: scheme, host and a non-default port.
    package let url: String

    /// The origin of Apple's own API, which is used unless a test sets another.
    package static let standardURL = "https://api.appstoreconnect.apple.com"

    /// Creates a connection and throws ``Fault`` if a value can't be used.
    package init(
        issuer: String, keyID: String, key: P256.PrivateKey, url: String = standardURL
    ) throws(Fault) {
        guard AssetID(issuer) != nil else { throw Fault("--issuer-id: use the UUID that App Store Connect shows") }
        guard AssetID(keyID) != nil else { throw Fault("--key-id: use the key id, such as 2X9R4HXF34") }
        guard let address = WebURL(url), address.rest.isEmpty, !address.hasUser else {
            throw Fault("--url: use only scheme and host, such as \(Self.standardURL)")
        }
        guard address.scheme == "https" || address.scheme == "http" && address.isThisMachine else {
            throw Fault("--url: http works only on loopback; use https")
        }
        self.issuer = issuer
        self.keyID = keyID
        self.key = key
        self.url = address.origin
    }

    /// An error that describes why a connection can't be used.
    package struct Fault: Error, Sendable, CustomStringConvertible {
        /// A message that starts with the command-line option.
        package let description: String

        init(_ description: String) { self.description = description }
    }

    /// Creates a bearer token that is valid for 15 minutes.
    ///
    /// Throws `CryptoError`.
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

    /// Encodes the connection as JSON, to be encrypted and stored.
    ///
    /// Throws `CryptoError`.
    func json() throws(CryptoError) -> [UInt8] {
        let key = Base64.encode(try key.der())
        return JSONWriter.object { object in
            object.member("issuer", issuer)
            object.member("keyID", keyID)
            object.member("key", key)
            object.member("url", url)
        }
    }

    /// Decodes the output of ``json()``; returns `nil` for any other bytes.
    init?(json: [UInt8]) {
        guard let object = try? FlatObject(scanning: json), let issuer = object.string("issuer").value,
            let keyID = object.string("keyID").value,
            let der = object.string("key").value.flatMap({ Base64.decode($0) }),
            let key = try? P256.PrivateKey(der), let url = object.string("url").value
        else { return nil }
        try? self.init(issuer: issuer, keyID: keyID, key: key, url: url)
    }
}
