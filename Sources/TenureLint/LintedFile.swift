public import TenureCrypto
import TenureFormats

/// What a file is looked at as.
public enum LintKind: String, Sendable, Hashable, CaseIterable {
    /// `/.well-known/marketplace-kit`.
    case configuration
    /// `manifest.json` of an alternative distribution package.
    case manifest
    /// `/.well-known/oauth-authorization-server`.
    case oauth
    /// An install verification token.
    case token
    /// A folder that is assembled as a package; its files are looked at by who can read them.
    case package

    /// Recognises a file by what is in it, and where that does not read, by its name; nil when it could be anything.
    public init?(of bytes: [UInt8], named name: String) {
        let text = bytes.starts(with: LintedFile.byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
        let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if first == UInt8(ascii: "e"), text.count(where: { $0 == UInt8(ascii: ".") }) >= 2 {
            self = .token
            return
        }
        if let object = try? FlatObject(scanning: Array(text)) {
            let names = Set(object.names)
            if !names.isDisjoint(with: ["variants", "appleItemId", "appleVersionId", "manifestSchemaVersion"]) {
                self = .manifest
                return
            }
            if !names.isDisjoint(with: ["authorization_endpoint", "token_endpoint", "issuer"]) {
                self = .oauth
                return
            }
            if !names.isDisjoint(with: ["license", "restore", "updates", "overridesByAppleItemID"]) {
                self = .configuration
                return
            }
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

    /// What the ids of its rules begin with.
    public var family: String { self == .configuration ? "config" : rawValue }
}

/// Looks at the bytes of one file and tells what is wrong with it; reads nothing else and asks nobody.
public enum LintedFile {
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Everything that is wrong, in the order of the file where it can be told.
    ///
    /// - Parameter key: The public half of the key that a token must be signed with; nil where it is not known.
    public static func findings(
        in bytes: [UInt8], as kind: LintKind, key: P256.PublicKey? = nil
    ) -> [LintFinding] {
        // A package is a folder; its files are looked at one by one.
        if kind == .package { return [LintFinding(.named("package.manifest"))] }
        if kind == .token { return TokenLint.findings(in: bytes, key: key) }
        var findings: [LintFinding] = []
        var text = bytes
        if bytes.starts(with: byteOrderMark) {
            findings.append(LintFinding(.named("\(kind.family).bom")))
            text = Array(bytes.dropFirst(byteOrderMark.count))
        }
        // A manifest's own reader scans the text; a tree of a long one would only cost.
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

    /// Tells a fault of the JSON text, with its place.
    static func faulty(_ error: JSONError, _ family: String, in text: [UInt8]) -> LintFinding {
        let rule = error.code == .duplicateMember ? "duplicate_member" : "json"
        let place = JSONPlace(ofByte: error.offset, in: text)
        return LintFinding(
            .named("\(family).\(rule)"), at: "", "Line \(place.line), column \(place.column): \(error.message).")
    }
}
