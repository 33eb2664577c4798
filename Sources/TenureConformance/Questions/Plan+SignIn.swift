import TenureCrypto
import TenureFormats
import TenureHTTPClient

extension SeenMarketplace {
    /// How a person's sign-in is asked for, as Apple's system and an app do it.
    func signIn(_ question: ConformanceQuestion) -> QuestionPlan {
        guard let metadata = self[.metadata], metadata.isDone, let json = metadata.json,
            let page = json["authorization_endpoint"]?.text, let tokens = json["token_endpoint"]?.text
        else {
            return .skip(
                self[.metadata]?.status == 404 ? "nobody signs in here" : "the sign-in's metadata cannot be read")
        }
        switch question {
        case .authorizeWithoutChallenge: return .get(authorize(at: page, challenge: nil))
        case .authorizePlain: return .get(authorize(at: page, challenge: (draw.verifier, "plain")))
        case .redeemNothing: return redeem(draw.nothing, at: tokens)
        default: break
        }
        guard options.password != nil, options.account != nil else {
            return .skip("no --account and --password-file were given to sign in with")
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
            // The first one is used again only after its successor was: an answer that got lost may be asked for twice.
            guard self[.refreshAgain]?.isDone == true else { return .skip("no successor of a refresh token was used") }
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
        return page + (page.contains("?") ? "&" : "?") + fields.formEncoded
    }

    static let redirect = "app-distribution-oauth://"

    /// The page's form, filled in: a field for a password gets it, one for the name the account.
    private func form(on question: ConformanceQuestion, of page: String) -> QuestionPlan {
        guard let exchange = self[question], exchange.isDone, let form = SignInPage(html: exchange.text) else {
            return .skip("the sign-in page has no form with a field for a password")
        }
        var fields = HTTPFields()
        fields.add("Content-Type", "application/x-www-form-urlencoded")
        let cookies = (exchange.response?.fields.fields ?? []).filter { $0.name.lowercased() == "set-cookie" }
            .map { String($0.value.prefix { $0 != ";" }) }
        if !cookies.isEmpty { fields.add("Cookie", cookies.joined(separator: "; ")) }
        fields.add("Sec-Fetch-Site", "same-origin")
        let body = form.filled(account: options.account ?? "", password: options.password ?? "").formEncoded
        return .send(
            HTTPRequest(method: "POST", url: form.action(on: page), fields: fields, body: Array(body.utf8)))
    }

    /// The code in the address to which a form's answer leads.
    func code(in question: ConformanceQuestion) -> String? { redirected(question)["code"] }

    /// What an answer hands to the app in the address that it leads to.
    func redirected(_ question: ConformanceQuestion) -> [String: String] {
        guard let exchange = self[question], exchange.isRedirect, let place = exchange.response?.fields["Location"],
            place.hasPrefix("app-distribution-oauth:"), let mark = place.firstIndex(of: "?")
        else { return [:] }
        return String(place[place.index(after: mark)...]).formDecoded
    }

    private func redeem(_ code: String?, at url: String, verifier: String? = nil) -> QuestionPlan {
        guard let code else { return .skip("no sign-in gave a code") }
        return tokens(
            at: url,
            [
                ("grant_type", "authorization_code"), ("code", code), ("code_verifier", verifier ?? draw.verifier),
                ("client_id", draw.client),
            ])
    }

    private func refresh(with question: ConformanceQuestion, at url: String) -> QuestionPlan {
        guard let exchange = self[question], exchange.isDone, let token = exchange.json?["refresh_token"]?.text else {
            return .skip("no refresh token was given")
        }
        return tokens(
            at: url,
            [("grant_type", "refresh_token"), ("refresh_token", token), ("client_id", draw.client)])
    }

    private func tokens(at url: String, _ fields: [(String, String)]) -> QuestionPlan {
        let type: HTTPFields = ["Content-Type": "application/x-www-form-urlencoded"]
        return .send(HTTPRequest(method: "POST", url: url, fields: type, body: Array(fields.formEncoded.utf8)))
    }
}

extension RecordedExchange {
    var text: String { response.map { String(decoding: $0.body, as: UTF8.self) } ?? "" }
}

/// The form of a page on which a person signs in; it knows what forms are made of, and no scripts.
struct SignInPage {
    private var target = ""
    private var inputs: [(name: String, type: String, value: String)] = []

    init?(html: String) {
        for tag in html.split(separator: "<").lazy.map({ $0.prefix { $0 != ">" } }) {
            let lower = tag.lowercased()
            if lower.hasPrefix("form") { target = Self.attribute("action", of: tag) ?? "" }
            guard lower.hasPrefix("input"), let name = Self.attribute("name", of: tag) else { continue }
            let type = Self.attribute("type", of: tag)?.lowercased() ?? "text"
            inputs.append((name, type, Self.attribute("value", of: tag) ?? ""))
        }
        guard inputs.contains(where: { $0.type == "password" }) else { return nil }
    }

    func filled(account: String, password: String) -> [(String, String)] {
        let name = inputs.first { ["text", "email"].contains($0.type) }?.name
        return inputs.filter { $0.type != "submit" }.map { input in
            if input.type == "password" { return (input.name, password) }
            return (input.name, input.name == name ? account : input.value)
        }
    }

    /// Where it is sent: below the page's host, or whole.
    func action(on page: String) -> String {
        if target.contains("://") { return target }
        let bare = page.prefix { $0 != "?" && $0 != "#" }
        if target.isEmpty { return String(bare) }
        guard let origin = WebURL(page)?.origin else { return target }
        if target.hasPrefix("/") { return origin + target }
        return bare[...(bare.lastIndex(of: "/") ?? bare.startIndex)] + target
    }

    private static func attribute(_ name: String, of tag: Substring) -> String? {
        guard let place = tag.firstRange(of: " \(name)=") else { return nil }
        let rest = tag[place.upperBound...]
        guard let quote = rest.first, quote == "\"" || quote == "'" else {
            return String(rest.prefix { !$0.isWhitespace })
        }
        let value = String(rest.dropFirst().prefix { $0 != quote })
        return value.replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }
}

extension [(String, String)] {
    fileprivate var formEncoded: String {
        map { "\($0.0.formEscaped)=\($0.1.formEscaped)" }.joined(separator: "&")
    }
}

extension String {
    fileprivate var formEscaped: String {
        utf8.reduce(into: "") { text, byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            if isPlain || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte) {
                text.append(Character(Unicode.Scalar(byte)))
            } else {
                text += "%" + Hex.encode([byte]).uppercased()
            }
        }
    }

    fileprivate var formDecoded: [String: String] {
        let pairs = split(separator: "&").map {
            $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        }
        return Dictionary(pairs.map { ($0[0].unescaped, $0.count > 1 ? $0[1].unescaped : "") }) { first, _ in first }
    }
}

extension Substring {
    fileprivate var unescaped: String {
        var bytes: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"),
                let two = Hex.decode(String(decoding: rest.prefix(2), as: UTF8.self).lowercased()),
                two.count == 1
            {
                bytes.append(two[0])
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
