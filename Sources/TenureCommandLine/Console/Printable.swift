extension String {
    /// The same text with control characters spelled out, so that a stranger's text cannot steer a terminal.
    package var printable: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isControl {
                text += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }

    /// The same for a message that refuses it: an empty text shows as two quotes.
    var named: String { isEmpty ? "''" : printable }

    func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }
}

extension Unicode.Scalar {
    /// Controls (C0, DEL, C1) and the marks that turn the direction of a line.
    fileprivate var isControl: Bool {
        switch value {
        case 0...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
