import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureHTTPClient
import TenureMarketplaceClient

/// The credential that a user signs in with.
enum SignInProof: Sendable {
    /// The password of the account at the marketplace.
    case password(String)
    /// A one-time link from `tenure account link`.
    case link(String)

    /// Returns the text for a field of the sign-in page; `nil` keeps the page's own value.
    func text(for field: PageForm.Field, _ account: String) -> String? {
        switch (field.name, self) {
        case ("account", _): account
        case ("password", .password(let password)): password
        case ("link", .link(let link)): link
        default: nil
        }
    }
}

/// The sign-in endpoints from `/.well-known/oauth-authorization-server`.
struct SignInEndpoints: Sendable {
    let authorization: String
    let token: String
}

extension DeviceSession {
    /// Signs the device's account in as the system does.
    ///
    /// The session fills in and submits the sign-in page, then exchanges the code for tokens (Apple's documentation,
    /// RFC 7636).
    ///
    /// - Throws: ``DeviceError``, with the system's name `oauthTokenError`; nothing is stored.
    func signIn(_ proof: SignInProof, clientID: String) async throws(DeviceError) -> AccountTokens {
        let places = try await marketplace.signInPlaces()
        let verifier = Base64.encodeURL(SecureRandom.bytes(32))
        let state = Base64.encodeURL(SecureRandom.bytes(16))
        let parameters = [
            ("response_type", "code"), ("client_id", clientID), ("redirect_uri", "app-distribution-oauth://"),
            ("code_challenge", Base64.encodeURL(SHA256.hash(Array(verifier.utf8)))),
            ("code_challenge_method", "S256"), ("state", state), ("login_hint", device.accountOrPlaceholder.text),
        ]
        let mark = places.authorization.contains(byte: "?") ? "&" : "?"
        let page = try await marketplace.send(
            .get(places.authorization + mark + PercentEncoding.form(parameters), headers: ["Accept": "text/html"]))
        guard page.status == 200, let form = PageForm(page.text) else {
            throw DeviceError(
                .badAnswer, "The sign-in page failed with status \(page.status), or has no form.", as: .oauthTokenError)
        }
        var headers: Headers = ["Accept": "text/html", "Sec-Fetch-Site": "same-origin"]
        if let cookies = page.cookies { headers.add("Cookie", cookies) }
        let target = form.url(on: places.authorization)
        guard marketplace.address.isOwn(target) || WebURL(target)?.scheme == "https" else {
            throw DeviceError(.badAnswer, "The sign-in page sends passwords without https.", as: .oauthTokenError)
        }
        let account = device.accountOrPlaceholder.text
        let answer = try await marketplace.send(
            .form(target, form.filled { proof.text(for: $0, account) }, headers: headers))
        let code = try Self.code(in: answer, state: state)
        return try AccountTokens(
            try await marketplace.send(
                .form(
                    places.token,
                    [
                        ("grant_type", "authorization_code"), ("code", code), ("code_verifier", verifier),
                        ("client_id", clientID),
                    ])))
    }

    private static func code(in answer: Response, state: String) throws(DeviceError) -> String {
        let location = answer.headers["Location"] ?? ""
        guard (300...399).contains(answer.status), location.hasPrefix("app-distribution-oauth:") else {
            let text = PageText.lines(of: answer.text).prefix(4).map(\.text).joined(separator: " ")
            throw DeviceError(
                .refused, "The sign-in page refused the sign-in: \(text.prefix(300))", as: .oauthTokenError,
                problem: ServerProblem(answer))
        }
        let members = PercentEncoding.members(of: location.cut(at: "?")?.after ?? "")
        guard members["state"] == state, let code = members["code"] else {
            throw DeviceError(
                .badAnswer, "The sign-in page returned no code for this sign-in.", as: .oauthTokenError)
        }
        return code
    }
}

extension ServedMarketplace {
    /// Fetches the sign-in metadata and returns its endpoints.
    func signInPlaces() async throws(DeviceError) -> SignInEndpoints {
        let answer = try await send(.get("https://\(address.domain)/.well-known/oauth-authorization-server"))
        guard answer.status == 200 else { throw DeviceError(answer, to: "The request for the sign-in metadata") }
        guard let members = try? FlatObject(scanning: answer.body.bytes),
            let authorization = members.string("authorization_endpoint").value,
            let token = members.string("token_endpoint").value,
            [authorization, token].allSatisfy({ $0.hasPrefix("https://") || address.isOwn($0) })
        else {
            throw DeviceError(
                .badAnswer, "The marketplace doesn't provide https addresses for signing in.", as: .oauthTokenError)
        }
        return SignInEndpoints(authorization: authorization, token: token)
    }
}
