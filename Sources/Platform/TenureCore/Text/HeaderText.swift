/// Reads the values of header fields by their bytes (RFC 9110, 5.6; RFC 6265, 5.4).
///
/// None of the fields that are read here may contain quoted strings.
package enum HeaderText {
    /// The elements of comma-separated lists, without the blanks around each element; empty elements are left out.
    package static func elements(of fields: [String]) -> [Substring] {
        fields.flatMap { field in field.split(atByte: ",").map(\.withoutBlanks).filter { !$0.isEmpty } }
    }

    /// The last element of the last field, which may be empty; `nil` if there is no field.
    ///
    /// A proxy adds its element there, whatever the client has sent.
    package static func lastElement(of fields: [String]) -> Substring? {
        fields.last.map { field in (field.cut(atLastByte: ",")?.after ?? field[...]).withoutBlanks }
    }

    /// A value and its parameters such as `;q=0.5`, all in lower case for ASCII letters and without blanks around them.
    package static func parameters(of element: some StringProtocol) -> (value: String, parameters: [String: String]) {
        let parts = String(element).split(atByte: ";", omittingEmptySubsequences: false)
        var parameters: [String: String] = [:]
        for part in parts.dropFirst() {
            guard let (name, value) = part.cut(at: "=") else { continue }
            let key = name.withoutBlanks.asciiLowercased
            // If a parameter is repeated, the first one counts.
            if parameters[key] == nil { parameters[key] = value.withoutBlanks.asciiLowercased }
        }
        return (parts.first?.withoutBlanks.asciiLowercased ?? "", parameters)
    }

    /// The values of the cookies of that name in `Cookie` fields, in the order in which the browser sent them.
    ///
    /// A browser may send several cookies of one name: one for each path that matches, the longest path first.
    package static func cookies(_ name: String, in fields: [String]) -> [Substring] {
        fields.flatMap { field in
            field.split(atByte: ";").compactMap { pair in
                // A blank within or after a name makes it another cookie, which browsers don't protect by `__Secure-`.
                guard let (own, value) = pair.cut(at: "="),
                    own.utf8.drop(while: { $0 == 0x20 }).elementsEqual(name.utf8)
                else { return nil }
                return value
            }
        }
    }
}
