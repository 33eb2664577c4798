import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureHTTPClient

extension SeenMarketplace {
    /// Plans a sign-in request, as Apple's system or an app sends it.
    func signIn(_ question: ConformanceQuestion) -> QuestionPlan {
        guard let metadata = self[.metadata], metadata.isDone, let json = metadata.json,
            let page = json["authorization_endpoint"]?.text, let tokens = json["token_endpoint"]?.text
        else {
            return .skip(
                self[.metadata]?.status == 404 ? "the server has no sign-in" : "the sign-in metadata can't be read")
        }
        switch question {
        case .authorizeWithoutChallenge: return .get(authorize(at: page, challenge: nil))
        case .authorizePlain: return .get(authorize(at: page, challenge: (draw.verifier, "plain")))
        case .redeemNothing: return redeem(draw.nothing, at: tokens)
        default: break
        }
        guard options.password != nil, options.account != nil else {
            return .skip("no --account and --password-file were given")
        }
        switch question {
        case .signInPage, .secondPage, .thirdPage:
            let digest = Base64.encodeURL(SHA256.hash(Array(draw.verifier.utf8)))
            return .get(authorize(at: page, challenge: (digest, "S256")))
        case .signInForm: return form(on: .signInPage, of: page)
        case .secondForm: return form(on: .secondPage, of: page)
        case .thirdForm: return form(on: .thirdPage, of: page)
        case .redeem: return redeem(code(in: .signInForm), at: tokens)
        case .redeemWrongVerifier:
            return redeem(code(in: .secondForm), at: tokens, verifier: String(draw.verifier.reversed()) + "x")
        case .redeemOnce: return redeem(code(in: .thirdForm), at: tokens)
        case .redeemTwice:
            guard self[.redeemOnce]?.isDone == true else { return .skip("no code was redeemed") }
            return redeem(code(in: .thirdForm), at: tokens)
        case .refresh: return refresh(with: .redeem, at: tokens)
        case .refreshAgain: return refresh(with: .refresh, at: tokens)
        default:
            // The first token is reused only after its successor was used, because a client may retry if a response got
            // lost.
            guard self[.refreshAgain]?.isDone == true else { return .skip("no replaced refresh token was used") }
            return refresh(with: .redeem, at: tokens)
        }
    }

    private func authorize(at page: String, challenge: (String, String)?) -> String {
        var fields = [
            ("response_type", "code"), ("client_id", draw.client), ("redirect_uri", Self.redirect),
            ("state", draw.nothing),
        ]
        if let account = options.account { fields.append(("login_hint", account)) }
        if let challenge {
            fields += [("code_challenge", challenge.0), ("code_challenge_method", challenge.1)]
        }
        return page + (page.contains("?") ? "&" : "?") + PercentEncoding.form(fields)
    }

    static let redirect = "app-distribution-oauth://"

    /// Plans to submit the page's form.
    ///
    /// The password goes into the password field, and the account into the first text or email field.
    private func form(on question: ConformanceQuestion, of page: String) -> QuestionPlan {
        guard let exchange = self[question], exchange.isDone, let form = PageForm(exchange.text),
            form.fields.contains(where: { $0.type == "password" })
        else { return .skip("the sign-in page has no form with a password field") }
        var headers: Headers = ["Sec-Fetch-Site": "same-origin"]
        if let cookies = exchange.response?.cookies { headers.add("Cookie", cookies) }
        let name = form.fields.first { ["text", "email"].contains($0.type) }?.name
        let filled = form.filled { field in
            field.type == "password" ? options.password : field.name == name ? options.account : nil
        }
        return .send(.form(form.url(on: page), filled, headers: headers))
    }

    /// The authorization code in the URL to which the form's response redirects; `nil` if there isn't one.
    func code(in question: ConformanceQuestion) -> String? { redirected(question)["code"] }

    /// The query parameters of the URL to which a response redirects the app.
    func redirected(_ question: ConformanceQuestion) -> [String: String] {
        guard let exchange = self[question], exchange.isRedirect, let location = exchange.response?.headers["Location"],
            location.hasPrefix("app-distribution-oauth:"), let query = location.cut(at: "?")?.after
        else { return [:] }
        return PercentEncoding.members(of: query)
    }

    private func redeem(_ code: String?, at url: String, verifier: String? = nil) -> QuestionPlan {
        guard let code else { return .skip("no sign-in returned a code") }
        return tokens(
            at: url,
            [
                ("grant_type", "authorization_code"), ("code", code), ("code_verifier", verifier ?? draw.verifier),
                ("client_id", draw.client),
            ])
    }

    private func refresh(with question: ConformanceQuestion, at url: String) -> QuestionPlan {
        guard let exchange = self[question], exchange.isDone, let token = exchange.json?["refresh_token"]?.text else {
            return .skip("no refresh token was returned")
        }
        return tokens(
            at: url,
            [("grant_type", "refresh_token"), ("refresh_token", token), ("client_id", draw.client)])
    }

    private func tokens(at url: String, _ fields: [(String, String)]) -> QuestionPlan { .send(.form(url, fields)) }
}

extension RecordedExchange {
    var text: String { response?.text ?? "" }
}
