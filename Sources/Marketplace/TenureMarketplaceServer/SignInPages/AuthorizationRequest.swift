import TenureCore
import TenureFormats
import TenureMarketplace
import TenureServerKit

/// The request with which an app opens the sign-in page (RFC 6749 §4.1.1, RFC 7636 §4.3).
struct AuthorizationRequest: Sendable, Hashable {
    /// The `client_id`, which identifies the app but not the person.
    let client: String
    /// The PKCE challenge: the SHA-256 digest of the verifier that the app sends with the code.
    let challenge: Digest
    /// The redirect URI that receives the code.
    let redirect: Redirect
    /// The app's `state`, returned with the code; `nil` if it sent none.
    let state: String?
    /// The `login_hint`: the account name that the app expects; `nil` if it's missing or too long.
    let hint: String?

    /// The result of reading an authorization request.
    enum Reading: Sendable, Hashable {
        /// The request is valid.
        case request(AuthorizationRequest)
        /// The request is invalid, but its redirect URI is accepted, so the app receives the error.
        case wrong(Redirect, error: String, state: String?)
        /// The redirect URI or the client is invalid, so the page shows the error to the person.
        case stranger(SignInPageText)
    }

    /// The maximum lengths of `client_id` and `state`, in bytes.
    static let longestClient = 256, longestState = 512

    static func read(_ value: (String) -> String?, at marketplace: Marketplace) -> Reading {
        guard let location = value("redirect_uri"), let redirect = Redirect(location, at: marketplace) else {
            return .stranger(.unknownAddress)
        }
        guard let client = value("client_id"), (1...longestClient).contains(client.utf8.count),
            client.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else { return .stranger(.unnamedApp) }
        let state = value("state")
        if let state, state.utf8.count > longestState { return .wrong(redirect, error: "invalid_request", state: nil) }
        switch value("response_type") {
        case "code": break
        case nil: return .wrong(redirect, error: "invalid_request", state: state)
        default: return .wrong(redirect, error: "unsupported_response_type", state: state)
        }
        guard value("code_challenge_method") == "S256",
            let challenge = value("code_challenge").flatMap({ Base64.decodeURL($0) }).flatMap({ Digest($0) })
        else { return .wrong(redirect, error: "invalid_request", state: state) }
        let hint = value("login_hint").flatMap { $0.utf8.count <= SignInForm.longestName ? $0 : nil }
        return .request(
            AuthorizationRequest(client: client, challenge: challenge, redirect: redirect, state: state, hint: hint))
    }
}

/// An accepted redirect URI: Apple's own or one from the catalog, compared byte for byte.
struct Redirect: Sendable, Hashable {
    /// The URI as the app wrote it.
    let text: String

    /// Creates an accepted redirect URI; returns `nil` if the marketplace doesn't accept the text.
    init?(_ text: String, at marketplace: Marketplace) {
        let places = [RedirectURI.system] + marketplace.redirectURIs
        guard places.contains(where: { $0.utf8.elementsEqual(text.utf8) }) else { return nil }
        self.text = text
    }

    /// Appends a query, leaving out items without a value.
    ///
    /// Apple's own URI is then written without slashes, as in Apple's documentation.
    func with(_ items: [(name: StaticString, value: String?)]) -> String {
        let query = items.compactMap { item in item.value.map { "\(item.name)=" + PagePath.encoded($0) } }
            .joined(separator: "&")
        if text == RedirectURI.system { return "app-distribution-oauth:?" + query }
        return text + (text.contains(byte: "?") ? "&" : "?") + query
    }

    /// The URI as a source expression for a Content Security Policy.
    var source: String {
        let scheme = String(text.before(anyByteOf: ":"))
        guard scheme == "https" else { return scheme + ":" }
        return "https://" + text.dropFirst("https://".count).prefix { !"/?".contains($0) }
    }
}
