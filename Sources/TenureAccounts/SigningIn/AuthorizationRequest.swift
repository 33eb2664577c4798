import TenureCore
import TenureFormats
import TenureMarketplace
import TenurePages

/// What an app asks for when it opens the sign-in page (RFC 6749 §4.1.1, RFC 7636 §4.3).
struct AuthorizationRequest: Sendable, Hashable {
    /// The app, by a name that says nothing of the person.
    let client: String
    /// The digest of what the app will show with the code.
    let challenge: Digest
    /// Where the code goes.
    let redirect: Redirect
    /// What the app wants back with it.
    let state: String?
    /// Whom the app thinks to be signing in.
    let hint: String?

    /// What a request comes to.
    enum Reading: Sendable, Hashable {
        /// It can be answered.
        case request(AuthorizationRequest)
        /// The app is told what is wrong.
        case wrong(Redirect, error: String, state: String?)
        /// Nobody knows whom to tell, so the person is.
        case stranger(String)
    }

    /// The longest `client_id` and `state`, in bytes.
    static let longestClient = 256, longestState = 512

    /// Reads parameters by their names.
    static func read(_ value: (String) -> String?, at marketplace: Marketplace) -> Reading {
        guard let place = value("redirect_uri"), let redirect = Redirect(place, at: marketplace) else {
            return .stranger("The app wants you sent to a place that \(marketplace.name) does not know.")
        }
        guard let client = value("client_id"), (1...longestClient).contains(client.utf8.count),
            client.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else { return .stranger("The app does not say which it is.") }
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

/// A place that a code may go to: the system's own, or one that the catalog names, byte for byte.
struct Redirect: Sendable, Hashable {
    /// As the app wrote it.
    let text: String

    /// Nil for any other place.
    init?(_ text: String, at marketplace: Marketplace) {
        let places = [RedirectURI.system] + marketplace.redirectURIs
        guard places.contains(where: { $0.utf8.elementsEqual(text.utf8) }) else { return nil }
        self.text = text
    }

    /// The place with a query; the system's without the slashes, as Apple writes it.
    func with(_ items: [(name: StaticString, value: String?)]) -> String {
        let query = items.compactMap { item in item.value.map { "\(item.name)=" + PagePath.encoded($0) } }
            .joined(separator: "&")
        if text == RedirectURI.system { return "app-distribution-oauth:?" + query }
        return text + (text.contains("?") ? "&" : "?") + query
    }

    /// What a page's policy calls the place.
    var source: String {
        let scheme = String(text.prefix { $0 != ":" })
        guard scheme == "https" else { return scheme + ":" }
        return "https://" + text.dropFirst("https://".count).prefix { !"/?".contains($0) }
    }
}
