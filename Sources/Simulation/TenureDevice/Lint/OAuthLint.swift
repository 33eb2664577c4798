import TenureFormats

extension LintRule {
    private static let metadata = "RFC 8414; Apple, /.well-known/oauth-authorization-server"

    static let oauth: [LintRule] =
        json("oauth") + [
            LintRule(
                "oauth.missing", .error, "A field that sign-in needs is missing.",
                fix: "Add it. Devices can't sign in without it.", source: metadata),
            LintRule(
                "oauth.type", .error, "A field has the wrong type.",
                fix: "Change it as the message says.", source: metadata),
            LintRule(
                "oauth.https", .error, "A URL is not absolute, or doesn't use https.",
                fix: "Serve it over https and write the complete URL.", source: "RFC 8414, 2"),
            LintRule(
                "oauth.s256", .error, "code_challenge_methods_supported does not list S256.",
                fix: "List \"S256\"; the \"5256\" on Apple's page is a misprint.", source: "RFC 7636, 4.2"),
            LintRule(
                "oauth.plain", .warning, "code_challenge_methods_supported lists plain.",
                fix: "Remove it; with plain, an intercepted code can be redeemed.", source: "RFC 9700, 2.1.1"),
            LintRule(
                "oauth.code_response", .error, "response_types_supported does not list code.",
                fix: "List \"code\"; devices request no other type.", source: metadata),
            LintRule(
                "oauth.code_grant", .error, "grant_types_supported does not list authorization_code.",
                fix: "List \"authorization_code\".", source: metadata),
        ]
}

/// Checks the metadata of an authorization server against the `oauth` rules.
enum OAuthLint {
    static func findings(in root: [String: JSONValue]) -> [LintFinding] {
        var findings: [LintFinding] = []
        func tell(_ rule: String, at name: String, _ message: String? = nil) {
            findings.append(LintFinding(.named("oauth.\(rule)"), at: root[name] == nil ? "" : "/\(name)", message))
        }
        for name in ["issuer", "authorization_endpoint", "token_endpoint"] {
            guard let value = root[name] else {
                tell("missing", at: name, "\(name) is missing.")
                continue
            }
            guard case .string(let text) = value else {
                tell("type", at: name, "It is \(value.kind), but must be a string.")
                continue
            }
            if WebURL(text)?.scheme != "https" { tell("https", at: name) }
        }
        func list(_ name: String) -> [String]? {
            guard let value = root[name] else {
                tell("missing", at: name, "\(name) is missing.")
                return nil
            }
            guard case .array(let items) = value else {
                tell("type", at: name, "It is \(value.kind), but must be an array of strings.")
                return nil
            }
            return items.compactMap { if case .string(let text) = $0 { text } else { nil } }
        }
        if let methods = list("code_challenge_methods_supported") {
            if !methods.contains("S256") { tell("s256", at: "code_challenge_methods_supported") }
            if methods.contains("plain") { tell("plain", at: "code_challenge_methods_supported") }
        }
        if let types = list("response_types_supported"), !types.contains("code") {
            tell("code_response", at: "response_types_supported")
        }
        if let grants = list("grant_types_supported"), !grants.contains("authorization_code") {
            tell("code_grant", at: "grant_types_supported")
        }
        return findings
    }
}
