import TenureCrypto
import TenureFormats

/// The kind of file to check, which selects the rules.
enum LintKind: String, Sendable, Hashable, CaseIterable {
    /// A marketplace's configuration, served at `/.well-known/marketplace-kit`.
    case configuration
    /// The file `manifest.json` of an alternative distribution package.
    case manifest
    /// The metadata of an authorization server, served at `/.well-known/oauth-authorization-server`.
    case oauth
    /// An install verification token in the compact JWS form.
    case token
    /// A folder assembled as a package; the caller reads and checks its files.
    case package

    /// Member names that occur in only one kind of file, by which a file is recognized.
    private static let members: [(kind: LintKind, names: Set<String>)] = [
        (.manifest, ["variants", "appleItemId", "appleVersionId", "manifestSchemaVersion"]),
        (.oauth, ["authorization_endpoint", "token_endpoint", "issuer"]),
        (.configuration, ["license", "restore", "updates", "overridesByAppleItemID"]),
    ]

    /// Recognizes a file by its content, or else by its name; `nil` if neither is conclusive.
    ///
    /// Broken JSON is searched for member names, too, so that its errors can be reported whatever the file's name is.
    init?(of bytes: [UInt8], named name: String) {
        let text = Array(bytes.starts(with: LintedFile.byteOrderMark) ? bytes.dropFirst(3) : bytes[...])
        let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if first == UInt8(ascii: "e"), text.count(where: { $0 == UInt8(ascii: ".") }) >= 2 {
            self = .token
            return
        }
        let names = (try? FlatObject(scanning: text)).map { Set($0.names) }
        if let names, let member = Self.members.first(where: { !names.isDisjoint(with: $0.names) }) {
            self = member.kind
            return
        }
        if names == nil, first == UInt8(ascii: "{"), let kind = Self.kind(ofBroken: text) {
            self = kind
            return
        }
        if name.hasSuffix("manifest.json") {
            self = .manifest
        } else if name.contains("marketplace-kit") {
            self = .configuration
        } else if name.contains("oauth-authorization-server") {
            self = .oauth
        } else if name.hasSuffix(".jwt") || name.hasSuffix(".jws") {
            self = .token
        } else {
            return nil
        }
    }

    /// The kind whose member names occur between quotes in a broken text; `nil` if no member name occurs.
    private static func kind(ofBroken text: [UInt8]) -> LintKind? {
        var strings = Set<String>()
        var start: Int?
        for index in text.indices where text[index] == UInt8(ascii: "\"") {
            if let begin = start, index - begin <= 64 {
                strings.insert(String(decoding: text[(begin + 1)..<index], as: UTF8.self))
            }
            start = index
        }
        return members.first { !strings.isDisjoint(with: $0.names) }?.kind
    }

    /// The prefix of the rule ids for this kind.
    var family: String { self == .configuration ? "config" : rawValue }
}

/// Checks the bytes of one file; reads no other files and sends no requests.
enum LintedFile {
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Returns all violations in a file, in document order where possible.
    ///
    /// - Parameters:
    ///   - key: The public half of the key that must have signed a token; `nil` if it isn't known.
    ///   - now: The time, in seconds since 1970, at which a token must not have expired; `nil` to skip that check.
    static func findings(
        in bytes: [UInt8], as kind: LintKind, key: P256.PublicKey? = nil, at now: Int64? = nil
    ) -> [LintFinding] {
        // A package is a folder whose files the caller checks, so its bytes alone lack a manifest.
        if kind == .package { return [LintFinding(.named("package.manifest"))] }
        if kind == .token { return TokenLint.findings(in: bytes, key: key, at: now) }
        var findings: [LintFinding] = []
        var text = bytes
        if bytes.starts(with: byteOrderMark) {
            findings.append(LintFinding(.named("\(kind.family).bom")))
            text = Array(bytes.dropFirst(byteOrderMark.count))
        }
        // The manifest's own parser scans the text, so building a tree of a long manifest would waste memory.
        if kind == .manifest { return findings + ManifestLint.findings(in: text) }
        do throws(JSONError) {
            let tree = try JSONValue(parsing: text)
            guard case .object(let root) = tree else {
                return findings + [
                    LintFinding(.named("\(kind.family).json"), at: "", "It is \(tree.kind), not an object.")
                ]
            }
            findings += kind == .oauth ? OAuthLint.findings(in: root) : ConfigLint.findings(in: root)
        } catch {
            findings.append(faulty(error, kind.family, in: text))
        }
        return findings
    }

    /// Describes the first error in a JSON text, with its line and column.
    ///
    /// `nil` if there is no error, or if the text doesn't begin with an object or array.
    static func brokenJSON(in bytes: [UInt8]) -> String? {
        let text = bytes.starts(with: byteOrderMark) ? Array(bytes.dropFirst(byteOrderMark.count)) : bytes
        let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
        do throws(JSONError) {
            try StrictJSON.validate(text)
            return nil
        } catch {
            return sentence(error, in: text)
        }
    }

    /// Creates a finding for an error in the JSON text, with its line and column.
    static func faulty(_ error: JSONError, _ family: String, in text: [UInt8]) -> LintFinding {
        let rule = error.code == .duplicateMember ? "duplicate_member" : "json"
        return LintFinding(.named("\(family).\(rule)"), at: "", sentence(error, in: text) + ".")
    }

    private static func sentence(_ error: JSONError, in text: [UInt8]) -> String {
        let position = JSONPlaces.Place(ofByte: error.offset, in: text)
        return "Line \(position.line), column \(position.column): \(error.message)"
    }
}
