import TenureContent
import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureServerKit

/// The endpoints with which a device verifies statements: the signed time and the public keys.
struct VerificationEndpoints {
    let context: ContentContext

    var all: [Endpoint] { [time, keys] }

    /// Returns the server's time, signed together with a nonce from the device.
    private var time: Endpoint {
        let fields = Fields { fields in
            try fields.required("nonce", .timeNonce, in: .query, "A random value chosen by the device.")
        }
        let document = Document<String>(
            nil, [.text("time", "A compact JWS of type `tenure-time+jwt` with `nonce` and `issuedAt`.") { $0 }])
        return Endpoint(
            "GET", ContentContext.base + "/time", format: .contents, catalog: .current, authentication: .tenant,
            reads: fields,
            operation: Operation("getContentTime", "devices", "Get the time, signed").answered(200, with: document)
        ) { [self] call in
            let (tenant, snapshot) = call.caller
            let key = try snapshot.keyRing(of: tenant).primary
            guard let time = ContentTime(tenant: tenant, nonce: call.input, at: context.clock.now()) else {
                throw Failure(FieldFault("nonce", in: .query, .invalid(must: ContentTime.nonceWords)))
            }
            let signed = String(decoding: time.signed(kid: key.kid, with: key.privateKey), as: UTF8.self)
            return .done(.json(document.json(signed)))
        }
        .dated()
    }

    /// Returns the tenant's lease keys as a JWK set.
    private var keys: Endpoint {
        let key = Document<PublishedKeys.Key>(
            nil,
            [
                .text("kty", "Always `OKP`.") { _ in "OKP" }, .text("crv", "Always `Ed25519`.") { _ in "Ed25519" },
                .text("use", "Always `sig`.") { _ in "sig" },
                .text("alg", "Always `EdDSA`.") { _ in JWSAlgorithm.edDSA.rawValue },
                .text("kid", "The key id in statements.") { $0.kid },
                .text("x", "The public key in base64url.") { Base64.encodeURL($0.publicKey.bytes) },
            ])
        let document = Document<[PublishedKeys.Key]>(nil, [.list("keys", of: key) { $0 }])
        return Endpoint(
            "GET", ContentContext.base + "/keys", format: .contents, catalog: .currentIfReachable,
            authentication: .tenant, reads: .none,
            operation: Operation("getContentKeys", "devices", "Get the keys that verify signed statements")
                .answered(200, with: document)
        ) { [self] call in
            let (tenant, snapshot) = call.caller
            return .done(.json(document.json(try snapshot.publishedKeys(of: tenant, at: context.clock.now()).keys)))
        }
    }
}

extension Authentication where Caller == (TenantID, CatalogSnapshot) {
    /// Accepts every request without credentials, if the tenant offers content.
    static var tenant: Authentication {
        Authentication(credentials: [], members: [.tenant]) { _, path, snapshot in
            guard let tenant = path["tenant"].flatMap({ TenantID($0) }) else { throw Failure.noContents }
            _ = try snapshot.contents(of: tenant)
            return (tenant, snapshot)
        }
    }
}

extension FieldType where Value == String {
    fileprivate static var timeNonce: FieldType {
        .text(
            ContentTime.nonceWords, like: String(repeating: "A", count: 22),
            schema: .text(length: 16...64, pattern: "^[A-Za-z0-9_-]+$")
        ) { $0 }
    }
}

extension ContentTime {
    /// The format of a nonce, for error messages.
    fileprivate static let nonceWords = "16 to 64 characters: A-Z, a-z, 0-9, _ and -"
}
