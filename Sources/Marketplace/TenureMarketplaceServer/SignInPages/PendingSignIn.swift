import TenureCore
import TenureCrypto
import TenureFormats
import TenureMarketplace
import TenureServerKit

/// A sign-in that has started in a browser but has no proof of identity yet.
///
/// Anyone may begin a sign-in, so a pending one isn't stored. Instead, it is encrypted with a secret of the store and
/// travels in the page's form or through the shop. Only the browser that began it can complete it.
struct PendingSignIn: Sendable, Hashable {
    /// The purpose of a sign-in, which determines the step after it.
    enum Purpose: Sendable, Hashable {
        /// A person signs in to an app, which then requests tokens.
        ///
        /// The binding says which client may exchange the code; `state` is returned to the app with it.
        case app(SignIn.Binding, state: String?)
        /// A person signs in to the resolution page, optionally for one app.
        case page(ResolutionClaims)
    }

    /// The random value with which all codes and tokens of this sign-in begin.
    let origin: SignInText.Origin
    /// The digest of the browser's cookie value.
    let browser: Digest
    /// When the sign-in expires.
    let until: Timestamp
    let purpose: Purpose

    /// Whether the cookie belongs to the browser that began this sign-in.
    ///
    /// The digests are compared in constant time.
    func began(in tokens: [SessionToken]) -> Bool {
        tokens.contains { constantTimeEquals($0.hash.bytes, browser.bytes) }
    }

    /// Encrypts the sign-in as base64url text.
    ///
    /// - Throws: ``ServerError`` if the encryption fails.
    func sealed(for tenant: TenantID, under cipher: AES256GCM) throws(ServerError) -> String {
        var parts: [[UInt8]] = [origin.bytes, browser.bytes, Array(String(until.seconds).utf8)]
        switch purpose {
        case .app(let binding, let state):
            parts += [
                Array("app".utf8), binding.client.bytes, binding.challenge?.bytes ?? [],
                Array((binding.redirect ?? "").utf8),
            ]
            if let state { parts.append(Array(state.utf8)) }
        case .page(let claims):
            parts.append(Array("page".utf8))
            parts += [claims.item?.description, claims.version?.description].map { Array(($0 ?? "").utf8) }
        }
        let text = parts.map { Base64.encodeURL($0) }.joined(separator: ".")
        do throws(CryptoError) {
            return Base64.encodeURL(try cipher.seal(Array(text.utf8), authenticating: Self.label(tenant)))
        } catch {
            throw ServerError(.crypto, "A sign-in couldn't be encrypted.", cause: error.code.text)
        }
    }

    /// Decrypts a text; `nil` if this server didn't encrypt it for this tenant.
    init?(sealed text: String, for tenant: TenantID, under cipher: AES256GCM) {
        guard text.utf8.count <= Self.longest, let bytes = Base64.decodeURL(text),
            let opened = try? cipher.open(bytes, authenticating: Self.label(tenant))
        else { return nil }
        let parts = String(decoding: opened, as: UTF8.self).split(atByte: ".", omittingEmptySubsequences: false)
            .map { Base64.decodeURL(String($0)) ?? [] }
        let texts = parts.map { String(decoding: $0, as: UTF8.self) }
        guard parts.count >= 6, let origin = SignInText.Origin(parts[0]), let browser = Digest(parts[1]),
            let until = Int64(texts[2])
        else { return nil }
        switch texts[3] {
        case "app":
            guard parts.count >= 7, let client = Digest(parts[4]), let challenge = Digest(parts[5]) else { return nil }
            purpose = .app(
                SignIn.Binding(client: client, challenge: challenge, redirect: texts[6]),
                state: parts.count > 7 ? texts[7] : nil)
        case "page":
            purpose = .page(ResolutionClaims { ["appleItemID": texts[4], "appleVersionID": texts[5]][$0] })
        default: return nil
        }
        self.origin = origin
        self.browser = browser
        self.until = Timestamp(seconds: until)
    }

    init(origin: SignInText.Origin, browser: Digest, until: Timestamp, purpose: Purpose) {
        self.origin = origin
        self.browser = browser
        self.until = until
        self.purpose = purpose
    }

    /// The maximum length of an encrypted text, in bytes.
    static let longest = 4096

    private static func label(_ tenant: TenantID) -> [UInt8] { Array("tenure sign-in|\(tenant)".utf8) }
}
