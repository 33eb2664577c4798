/// Checks the file of a logo: a PNG image, or an SVG image that contains no code and refers to nothing outside itself.
package enum LogoFile {
    /// The largest file, in bytes.
    package static let largest = 65_536

    /// The media type of a logo that was accepted.
    package static func mediaType(of bytes: [UInt8]) -> String { isPNG(bytes) ? "image/png" : "image/svg+xml" }

    /// What is wrong with a file; `nil` if it can be a logo.
    package static func fault(of bytes: [UInt8]) -> String? {
        if isPNG(bytes) { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return "must be a PNG image, or an SVG image in UTF-8"
        }
        var scanner = SVGScanner(text)
        return scanner.fault()
    }

    private static func isPNG(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    }
}

/// Reads the tags of an SVG image, and looks for what a logo must not contain.
///
/// A browser shows a logo only as an image, which runs no code and loads nothing. This is a second defense, for people
/// who open the image's address.
private struct SVGScanner {
    private var rest: Substring
    private var isRoot = true

    init(_ text: String) { rest = text[...] }

    private static let banned: Set<String> = [
        "script", "foreignobject", "iframe", "embed", "object", "audio", "video", "canvas", "handler", "listener",
    ]

    mutating func fault() -> String? {
        while let open = rest.firstIndex(of: "<") {
            let between = rest[..<open]
            if isRoot, between.contains(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) { return Self.noImage }
            if let fault = Self.styleFault(String(between)) { return fault }
            rest = rest[open...].dropFirst()
            if rest.hasPrefix("!--") {
                guard skip(past: "-->") else { return Self.noImage }
            } else if rest.hasPrefix("![CDATA[") {
                guard let end = rest.firstRange(of: "]]>") else { return Self.noImage }
                if let fault = Self.styleFault(String(rest[..<end.lowerBound])) { return fault }
                rest = rest[end.upperBound...]
            } else if rest.hasPrefix("!") {
                return "must not contain a document type or entities; export it as a plain SVG"
            } else if rest.hasPrefix("?") {
                if let fault = instructionFault() { return fault }
            } else if rest.hasPrefix("/") {
                guard skip(past: ">") else { return Self.noImage }
            } else if let fault = tagFault() {
                return fault
            }
        }
        return isRoot ? Self.noImage : nil
    }

    private static let noImage = "must be a PNG image or a well-formed SVG image"

    private mutating func skip(past mark: String) -> Bool {
        guard let end = rest.firstRange(of: mark) else { return false }
        rest = rest[end.upperBound...]
        return true
    }

    /// Accepts the XML declaration of a file in UTF-8, and nothing else.
    private mutating func instructionFault() -> String? {
        guard let end = rest.firstRange(of: "?>") else { return Self.noImage }
        let text = rest[..<end.lowerBound].lowercased()
        rest = rest[end.upperBound...]
        guard isRoot, text.hasPrefix("?xml ") else { return "must not contain processing instructions" }
        if text.contains("encoding"), !text.contains("utf-8") { return "must be an SVG image in UTF-8" }
        return nil
    }

    private mutating func tagFault() -> String? {
        let name = take { !$0.isWhitespace && $0 != ">" && $0 != "/" }
        let element = Self.local(name)
        if isRoot, element != "svg" { return Self.noImage }
        isRoot = false
        if Self.banned.contains(element) { return "must not contain <\(name)>" }
        while true {
            _ = take { $0.isWhitespace || $0 == "/" }
            guard let next = rest.first else { return Self.noImage }
            if next == ">" {
                rest = rest.dropFirst()
                return nil
            }
            let attribute = take { !$0.isWhitespace && $0 != "=" && $0 != ">" && $0 != "/" }
            _ = take(while: \.isWhitespace)
            guard !attribute.isEmpty, rest.first == "=" else { return Self.noImage }
            rest = rest.dropFirst()
            _ = take(while: \.isWhitespace)
            guard let quote = rest.first, quote == "\"" || quote == "'" else { return Self.noImage }
            rest = rest.dropFirst()
            guard let end = rest.firstIndex(of: quote) else { return Self.noImage }
            guard let value = Self.decoded(rest[..<end]) else { return "must not contain entities in <\(name)>" }
            rest = rest[rest.index(after: end)...]
            if let fault = Self.attributeFault(attribute, value) { return fault }
        }
    }

    private static func attributeFault(_ name: String, _ value: String) -> String? {
        let attribute = local(name)
        // A namespace is a name that looks like an address.
        if name == "xmlns" || name.hasPrefix("xmlns:") { return nil }
        if attribute.hasPrefix("on") { return "must not contain the event handler \"\(name)\"" }
        if attribute == "attributename", local(value).hasPrefix("on") || local(value) == "href" {
            return "must not animate \"\(value)\""
        }
        if ["href", "src", "base"].contains(attribute), !isInside(value) {
            return "must not refer to other files or sites: \"\(value.prefix(80))\""
        }
        return styleFault(value)
    }

    /// Checks style rules, and attribute values that may refer to something, such as `fill="url(#a)"`.
    private static func styleFault(_ text: String) -> String? {
        let style = (decoded(text[...]) ?? text).lowercased()
        if style.contains("@import") { return "must not import style sheets" }
        var rest = style[...]
        while let found = rest.firstRange(of: "url(") {
            rest = rest[found.upperBound...]
            let target = rest.drop { $0.isWhitespace || $0 == "\"" || $0 == "'" }
            if !isInside(String(target)) { return "must not refer to other files or sites in its styles" }
        }
        // An escape could spell `url(` in another way.
        if style.contains("\\") { return "must not contain a backslash" }
        return nil
    }

    /// Whether a reference leads to an element of the image or to a bitmap within it.
    private static func isInside(_ target: String) -> Bool {
        let target = target.lowercased().drop(while: \.isWhitespace)
        return target.hasPrefix("#")
            || ["png", "jpeg", "gif", "webp"].contains { target.hasPrefix("data:image/\($0);base64,") }
    }

    private static func local(_ name: String) -> String {
        (name.split(separator: ":").last.map(String.init) ?? "").lowercased()
    }

    /// Replaces character references; `nil` if there is an entity that XML doesn't define.
    private static func decoded(_ text: Substring) -> String? {
        guard text.contains("&") else { return String(text) }
        var decoded = ""
        var rest = text
        while let mark = rest.firstIndex(of: "&") {
            decoded += rest[..<mark]
            guard let end = rest[mark...].firstIndex(of: ";") else { return nil }
            let name = rest[rest.index(after: mark)..<end]
            if let known = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"][String(name)] {
                decoded += known
            } else if name.hasPrefix("#"), let scalar = scalar(name.dropFirst()) {
                decoded.unicodeScalars.append(scalar)
            } else {
                return nil
            }
            rest = rest[rest.index(after: end)...]
        }
        return decoded + rest
    }

    private static func scalar(_ digits: Substring) -> Unicode.Scalar? {
        let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init)
    }

    private mutating func take(while isPart: (Character) -> Bool) -> String {
        let taken = rest.prefix(while: isPart)
        rest = rest[taken.endIndex...]
        return String(taken)
    }
}
