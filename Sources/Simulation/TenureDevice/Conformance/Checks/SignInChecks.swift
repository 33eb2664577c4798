import TenureFormats
import TenureHTTP

/// Checks of the sign-in: its metadata, and the codes and tokens that the server issues.
enum SignInChecks {
    private static let metadata = "RFC 8414; Apple, /.well-known/oauth-authorization-server"

    static let all: [Check] =
        Check.there("oauth.", of: .metadata, "The sign-in metadata", source: metadata).map(whereThere) + [
            Check.saysJSON("oauth.content_type", of: .metadata, "The sign-in metadata", source: metadata)
        ] + Check.linted("oauth", of: .metadata, as: .oauth) + asking + given

    /// Skips the check if the metadata's status is 404, because a marketplace whose apps need no sign-in may omit the
    /// metadata.
    private static func whereThere(_ check: Check) -> Check {
        Check(
            check.id, check.severity, of: check.question, check.title, expected: check.expected, fix: check.fix,
            source: check.source
        ) { exchange, seen in
            exchange.status == 404 ? .skip("the server has no sign-in") : check.judge(exchange, seen)
        }
    }

    private static func page(_ id: String, of question: Question, _ title: String, fix: String) -> Check {
        Check(
            id, .error, of: question, title, expected: "an error page, or a redirect with `error`", fix: fix,
            source: "RFC 7636, 4.4.1; RFC 9700, 2.1.1"
        ) { exchange, seen in
            guard let status = exchange.status else { return .skip(exchange.whyNothing) }
            if exchange.isRedirect, exchange.response?.headers["Location"]?.contains("error=") == true { return .pass }
            if (400...499).contains(status) { return .pass }
            return .fail("The status is \(status), as for a valid request.")
        }
    }

    private static let asking: [Check] = [
        page(
            "oauth.challenge_required", of: .authorizeWithoutChallenge, "A sign-in without a code challenge is refused",
            fix: "Refuse requests without code_challenge."),
        page(
            "oauth.plain_refused", of: .authorizePlain, "A sign-in with a plain challenge is refused",
            fix: "Accept only S256."),
        Check.answered(
            "oauth.error_status", of: .redeemNothing, "An unknown code is refused", with: 400...401,
            expected: "400 with invalid_grant", fix: "Return 400.", source: "RFC 6749, 5.2"),
        Check(
            "oauth.error_json", .error, of: .redeemNothing, "An error of the token endpoint has an error code",
            expected: "JSON with `error`", fix: "Return a JSON object with `error`, such as invalid_grant.",
            source: "RFC 6749, 5.2"
        ) { exchange, _ in
            guard let status = exchange.status, (400...499).contains(status) else {
                return .skip(exchange.whyNothing)
            }
            return exchange.json?["error"]?.text == nil ? .fail("The field `error` is missing.") : .pass
        },
        Check(
            "oauth.state", .error, of: .signInForm, "The sign-in returns the state",
            expected: "the `state` of the request in the redirect", fix: "Return state unchanged.",
            source: "RFC 6749, 4.1.2"
        ) { _, seen in
            guard seen.code(in: .signInForm) != nil else { return .skip("no sign-in returned a code") }
            return seen.redirected(.signInForm)["state"] == seen.draw.nothing
                ? .pass : .fail("It is different or missing.")
        },
    ]

    private static func given(
        _ id: String, _ severity: LintRule.Severity, _ title: String, expected: String, fix: String, source: String,
        fault: @escaping @Sendable (RecordedExchange) -> String?
    ) -> Check {
        Check.done(id, severity, of: .redeem, title, expected: expected, fix: fix, source: source) { exchange, _ in
            fault(exchange).map { .fail($0) } ?? .pass
        }
    }

    private static let given: [Check] = [
        given(
            "oauth.token", .error, "A code can be exchanged for an access token",
            expected: "`access_token` and `token_type` Bearer",
            fix: "Return both.", source: "RFC 6749, 5.1"
        ) { exchange in
            let hasToken = exchange.json?["access_token"]?.text?.isEmpty == false
            let isBearer = exchange.json?["token_type"]?.text?.lowercased() == "bearer"
            return hasToken && isBearer ? nil : "One of them is missing or different."
        },
        given(
            "oauth.token_end", .warning, "The response has the lifetime of the token",
            expected: "`expires_in` in seconds",
            fix: "Return it.", source: "RFC 6749, 5.1"
        ) { ($0.json?["expires_in"]?.whole ?? 0) > 0 ? nil : "expires_in is missing." },
        given(
            "oauth.token_cacheable", .error, "Token responses aren't cached",
            expected: "Cache-Control: no-store",
            fix: "Send this header field.", source: "RFC 6749, 5.1"
        ) { exchange in
            let field = exchange.response?.headers["Cache-Control"]?.lowercased() ?? ""
            return field.contains("no-store") ? nil : "Cache-Control is \(field.isEmpty ? "missing" : field.bounded)."
        },
        Check.answered(
            "oauth.wrong_verifier", of: .redeemWrongVerifier, "A code with a wrong verifier is refused",
            with: 400...401, expected: "400 with invalid_grant", fix: "Compare the verifier with the challenge.",
            source: "RFC 7636, 4.6"),
        Check.answered(
            "oauth.code_twice", of: .redeemTwice, "A code works only once", with: 400...401,
            expected: "400 with invalid_grant", fix: "Invalidate a code when it is redeemed.",
            source: "RFC 6749, 4.1.2"),
        Check.answered(
            "oauth.refresh_reuse", of: .refreshReused, "A replaced refresh token is refused",
            with: 400...401,
            expected: "400 with invalid_grant", fix: "End the sign-in if a refresh token is used twice.",
            source: "RFC 9700, 4.14.2"),
    ]
}
