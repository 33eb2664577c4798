/// Writes markup as HTML in UTF-8.
///
/// No other code turns markup into bytes, so all text is escaped here.
package struct MarkupWriter {
    private(set) var bytes: [UInt8] = []

    /// Returns a complete HTML document.
    package static func document(_ root: Markup) -> [UInt8] {
        var writer = MarkupWriter()
        writer.raw("<!doctype html>\n")
        writer.write(root)
        writer.raw("\n")
        return writer.bytes
    }

    package mutating func write(_ markup: Markup) {
        switch markup {
        case .text(let text): escaped(text)
        case .sequence(let pieces): for piece in pieces { write(piece) }
        case .style(let sheet):
            raw("<style>")
            bytes += sheet.bytes
            raw("</style>")
        case .element(let tag, let attributes, let content):
            raw("<\(tag.rawValue)")
            for attribute in attributes {
                raw(" \(attribute.name)=\"")
                escaped(attribute.value)
                raw("\"")
            }
            raw(">")
            if tag.isVoid { return }
            write(content)
            raw("</\(tag.rawValue)>")
        }
    }

    private mutating func raw(_ text: String) {
        bytes += text.utf8
    }

    /// Writes text with the five characters escaped that have a meaning in HTML text or in quoted attributes.
    ///
    /// Control characters, except tab and newline, are replaced by U+FFFD.
    private mutating func escaped(_ text: String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": raw("&amp;")
            case "<": raw("&lt;")
            case ">": raw("&gt;")
            case "\"": raw("&quot;")
            case "'": raw("&#39;")
            case "\t", "\n": bytes.append(UInt8(scalar.value))
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): raw("\u{FFFD}")
            default: bytes += String(scalar).utf8
            }
        }
    }
}
