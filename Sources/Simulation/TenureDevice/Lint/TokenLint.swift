import TenureCore
import TenureCrypto
import TenureFormats

extension LintRule {
    private static let page = "Apple, install verification tokens"

    static let token: [LintRule] = [
        LintRule(
            "token.jws", .error, "It is not a JSON Web Signature with three parts.",
            fix: "Write HEADER.PAYLOAD.SIGNATURE, each in base64url without padding.", source: "RFC 7515, 7.1"),
        LintRule(
            "token.json", .error, "The header or payload is not a JSON object.", fix: "Correct it.", source: "RFC 7515"),
        LintRule("token.alg", .error, "alg is not ES256.", fix: "Sign with ES256.", source: page),
        LintRule(
            "token.kid", .error, "kid is missing.",
            fix: "Add the key's id from App Store Connect.", source: page),
        LintRule("token.typ", .warning, "typ is not JWT.", fix: "Write \"typ\": \"JWT\".", source: page),
        LintRule(
            "token.missing", .error, "A claim is missing or has the wrong type.", fix: "Change it as the message says.",
            source: page),
        LintRule(
            "token.iss", .error, "iss is not a string of digits.",
            fix: "Write the marketplace's Apple item id as a string, not as a number.", source: page),
        LintRule(
            "token.aud", .error, "aud is not AppleDownloadVerification-v1.", fix: "Use exactly this value.",
            source: page),
        LintRule(
            "token.exp", .error, "exp is missing, is not a whole number of seconds, or is not after iat.",
            fix: "Set the expiry time, in seconds since 1970.", source: page),
        LintRule(
            "token.expired", .error, "The token has expired.",
            fix: "Create a token for each installation, when it is requested.",
            source: page),
        LintRule(
            "token.nonce", .error, "nonce is not a UUID.", fix: "Use a new random UUID in each token.",
            source: page),
        LintRule(
            "token.life_long", .error, "The token is valid for more than a day.",
            fix: "Create a token for each installation, valid for ten minutes.", source: page),
        LintRule(
            "token.life", .warning, "The token is valid for more than an hour.",
            fix: "Create a token for each installation, valid for ten minutes.", source: page),
        LintRule(
            "token.dtype", .error, "dtype is neither download nor redownload.",
            fix: "Use download for a device that never had the app, and redownload otherwise.", source: page),
        LintRule(
            "token.der", .error, "The signature is encoded in DER.",
            fix: "Concatenate r and s to 64 bytes, as JWS requires.", source: "RFC 7518, 3.4"),
        LintRule(
            "token.signature", .error, "The signature doesn't match the key and this token.",
            fix: "Sign the header and payload exactly as sent, with the distribution key.", source: "RFC 7515"),
        LintRule(
            "token.signature_unchecked", .note, "The signature was not checked.",
            fix: "Use --public-key FILE.", source: "RFC 7515"),
    ]
}

/// Checks an install verification token against the `token` rules.
///
/// The linter can't check whether the signing key is registered with Apple.
enum TokenLint {
    static func findings(in bytes: [UInt8], key: P256.PublicKey?, at now: Int64?) -> [LintFinding] {
        let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let text = bytes.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        let parts = Array(text).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let decoded = parts.compactMap { Base64.decodeURL(String(decoding: $0, as: UTF8.self)) }
        guard parts.count == 3, decoded.count == 3 else { return [LintFinding(.named("token.jws"))] }
        guard let header = try? FlatObject(scanning: decoded[0]), let claims = try? FlatObject(scanning: decoded[1])
        else { return [LintFinding(.named("token.json"))] }
        let input = Array(text).prefix(parts[2].startIndex - 1)
        return headerFindings(header) + claimFindings(claims, at: now)
            + signatureFindings(decoded[2], over: Array(input), key: key)
    }

    private static func headerFindings(_ header: FlatObject) -> [LintFinding] {
        var findings: [LintFinding] = []
        if header.string("alg").value != "ES256" {
            findings.append(LintFinding(.named("token.alg"), at: "/header/alg"))
        }
        if header.string("kid").value?.isEmpty ?? true {
            findings.append(LintFinding(.named("token.kid"), at: "/header/kid"))
        }
        if header.string("typ").value != "JWT" { findings.append(LintFinding(.named("token.typ"), at: "/header/typ")) }
        return findings
    }

    private static func claimFindings(_ claims: FlatObject, at now: Int64?) -> [LintFinding] {
        var findings: [LintFinding] = []
        func tell(_ rule: String, _ claim: String, _ message: String? = nil) {
            findings.append(LintFinding(.named("token.\(rule)"), at: "/payload/\(claim)", message))
        }
        let issuer = claims.string("iss").value ?? ""
        if issuer.isEmpty || !issuer.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { tell("iss", "iss") }
        if claims.string("aud").value != "AppleDownloadVerification-v1" { tell("aud", "aud") }
        for claim in ["bid", "nonce"] where claims.string(claim).value?.isEmpty ?? true {
            tell("missing", claim, "\(claim) must be a string that is not empty.")
        }
        if let nonce = claims.string("nonce").value, !nonce.isEmpty, !isUUID(nonce) { tell("nonce", "nonce") }
        if !["download", "redownload"].contains(claims.string("dtype").value ?? "") { tell("dtype", "dtype") }
        for claim in ["iid", "vid"] {
            if let kind = claims.kind(claim), kind != .string {
                tell("missing", claim, "\(claim) must be a string of digits, not a \(kind.rawValue).")
            }
        }
        let (issued, end) = (claims.integer("iat").value, claims.integer("exp").value)
        if issued == nil { tell("missing", "iat", "iat must be a whole number of seconds since 1970.") }
        guard let end, issued.map({ $0 < end }) ?? true else {
            tell("exp", "exp")
            return findings
        }
        if let now, end <= now { tell("expired", "exp", "It expired \(duration(now - max(0, end))) ago.") }
        guard let issued else { return findings }
        let life = end.subtractingReportingOverflow(issued)
        if life.overflow || life.partialValue > 86_400 {
            tell("life_long", "exp")
        } else if life.partialValue > 3_600 {
            tell("life", "exp")
        }
        return findings
    }

    /// Whether the text is a UUID in the usual form of 36 characters, in upper or lower case.
    private static func isUUID(_ text: String) -> Bool {
        let groups = text.split(atByte: "-", omittingEmptySubsequences: false)
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && groups.joined().utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0)
            }
    }

    /// Formats seconds in the largest unit that fits, rounded down, such as `3 hours`.
    private static func duration(_ seconds: Int64) -> String {
        let units: [(String, Int64)] = [("day", 86_400), ("hour", 3_600), ("minute", 60)]
        let (unit, count) = units.first { seconds >= $0.1 }.map { ($0.0, seconds / $0.1) } ?? ("second", seconds)
        return "\(count) \(unit)\(count == 1 ? "" : "s")"
    }

    private static func signatureFindings(
        _ signature: [UInt8], over input: [UInt8], key: P256.PublicKey?
    ) -> [LintFinding] {
        if signature.count != P256.signatureLength {
            // DER begins with the tag of a sequence and the length of the rest.
            let isDER = signature.count > 2 && signature[0] == 0x30 && Int(signature[1]) == signature.count - 2
            return [LintFinding(.named(isDER ? "token.der" : "token.signature"), at: "/signature")]
        }
        guard let key else { return [LintFinding(.named("token.signature_unchecked"), at: "/signature")] }
        return key.isValidSignature(signature, for: input)
            ? [] : [LintFinding(.named("token.signature"), at: "/signature")]
    }
}
