import TenureCore
import TenureFormats
import TenureMarketplace

/// Checks of install verification tokens.
enum TokenChecks {
    private static let page = "Apple, install verification tokens"

    /// Linter rules that aren't used as checks of a served token.
    ///
    /// `token.time` checks the expiry and allows for clock differences.
    private static let unused = ["token.signature_unchecked", "token.expired"]

    static let all: [Check] =
        LintRule.all.filter { $0.id.hasPrefix("token.") && !unused.contains($0.id) }.map { rule in
            Check(rule, of: .restore) { exchange, seen in
                let tokens = seen.tokens
                if tokens.isEmpty { return .skip("no install token was sent") }
                if rule.id == "token.signature", seen.options.publicKey == nil {
                    return .skip("no --public-key was given")
                }
                for token in tokens {
                    let findings = LintedFile.findings(
                        in: Array(token.utf8), as: .token, key: seen.options.publicKey)
                    if let found = findings.first(where: { $0.rule.id == rule.id }) {
                        return .fail(found.positioned)
                    }
                }
                return .pass
            }
        } + [
            claim("token.item", "A token is for the app", expected: "iid of the app, if present") {
                claims, _, seen in
                guard let found = claims["iid"]?.text else { return nil }
                return found == seen.options.item?.description ? nil : "iid is \(found.bounded)."
            },
            claim("token.version", "A token is for the version", expected: "vid of the version, if present") {
                claims, version, _ in
                guard let found = claims["vid"]?.text, let version else { return nil }
                return found == String(version) ? nil : "vid is \(found.bounded), but the offer is for \(version)."
            },
            claim("token.bundle", "A token is for the app's bundle", expected: "bid of the manifest") {
                claims, _, seen in
                guard let bundle = seen.manifest?.bundleID, let found = claims["bid"]?.text else { return nil }
                return found == bundle ? nil : "bid is \(found.bounded), but the manifest says \(bundle.bounded)."
            },
            claim("token.time", "A token is valid now", expected: "iat before now, exp after it") { claims, _, seen in
                let now = seen.now.seconds
                // A token's time may differ from the host's clock by as much as devices tolerate.
                if let issued = claims["iat"]?.whole, issued > now + 900 { return "It isn't valid yet." }
                guard let end = claims["exp"]?.whole, end < now - 300 else { return nil }
                return "It has expired."
            },
            Check(
                "token.nonce_twice", .error, of: .restoreAgain, "Each token has a unique nonce",
                expected: "a different nonce in each token", fix: "Generate one for each token.", source: page
            ) { exchange, seen in
                let nonces = seen.tokens.compactMap { Self.claims(of: $0)?["nonce"]?.text }
                guard nonces.count > 1 else { return .skip("fewer than two tokens have a nonce") }
                return Set(nonces).count == nonces.count ? .pass : .fail("Two of \(nonces.count) are the same.")
            },
        ]

    private static func claim(
        _ id: String, _ title: String, expected: String,
        fault: @escaping @Sendable (_ claims: JSONValue, _ version: UInt64?, SeenMarketplace) -> String?
    ) -> Check {
        Check(
            id, .error, of: .restore, title, expected: expected,
            fix: "Create the token for the entry that contains it.",
            source: page
        ) { exchange, seen in
            let read = seen.offersWithToken.compactMap { offer in
                Self.claims(of: offer.token).map { (claims: $0, version: offer.version) }
            }
            if read.isEmpty { return .skip("no readable install token was sent") }
            return read.compactMap { fault($0.claims, $0.version, seen) }.first.map { .fail($0) } ?? .pass
        }
    }

    private static func claims(of token: String) -> JSONValue? {
        let parts = token.split(atByte: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64.decodeURL(String(parts[1])) else { return nil }
        return try? JSONValue(parsing: payload)
    }
}

extension SeenMarketplace {
    /// The install tokens for the app, each from a separate response. Each must name its version: the version to
    /// restore, or the version that an update offers.
    fileprivate var offersWithToken: [(token: String, version: UInt64?)] {
        let offers = [
            (entry("restores", in: .restore), version?.number), (entry("restores", in: .restoreAgain), version?.number),
            (entry("updates", in: .updatesFromNothing), newestVersion?.number),
        ]
        return offers.compactMap { entry, version in
            guard let token = entry?["installVerificationToken"]?.text, !token.isEmpty else { return nil }
            return (token, version)
        }
    }

    /// The tokens alone, without the versions that they must name.
    fileprivate var tokens: [String] { offersWithToken.map(\.token) }
}
