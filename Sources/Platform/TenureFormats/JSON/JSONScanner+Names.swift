extension JSONScanner {
    /// Throws if two members have the same name.
    ///
    /// Up to 16 names are compared pairwise. More go into a set with a randomly seeded hash, so that an attacker can't
    /// choose names that make this slow.
    func refuseDuplicates(in members: ArraySlice<Entry>) throws(JSONError) {
        if members.count <= 16 {
            for later in members.indices.dropFirst() {
                for earlier in members.startIndex..<later where sameName(members[earlier], members[later]) {
                    throw duplicate(members[later])
                }
            }
        } else {
            var seen = Set<Name>(minimumCapacity: members.count)
            for member in members where !seen.insert(Name(bytes: readName(of: member))).inserted {
                throw duplicate(member)
            }
        }
    }

    /// The UTF-8 bytes of a member's name, unescaped.
    func readName(of member: Entry) -> ArraySlice<UInt8> {
        member.nameIsEscaped ? JSONText.unescaped(bytes[member.name])[...] : bytes[member.name]
    }

    private func sameName(_ one: Entry, _ other: Entry) -> Bool {
        if one.nameIsEscaped || other.nameIsEscaped { return readName(of: one) == readName(of: other) }
        guard one.name.count == other.name.count else { return false }
        for step in 0..<one.name.count
        where bytes[one.name.lowerBound + step] != bytes[other.name.lowerBound + step] {
            return false
        }
        return true
    }

    private func duplicate(_ member: Entry) -> JSONError {
        let shown = member.name.count <= 64 ? " \"\(String(decoding: bytes[member.name], as: UTF8.self))\"" : ""
        return JSONError(
            .duplicateMember, at: member.name.lowerBound - 1, "an object has the field\(shown) twice; send it once")
    }

    /// A name that is hashed as one block of bytes.
    private struct Name: Hashable {
        let bytes: ArraySlice<UInt8>

        func hash(into hasher: inout Hasher) {
            bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }
}

/// Decodes the contents of JSON strings that have already been validated.
enum JSONText {
    /// Resolves the escapes in the contents of a validated string and returns UTF-8.
    static func unescaped(_ inside: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(inside.count)
        var index = inside.startIndex
        while index < inside.endIndex {
            guard inside[index] == UInt8(ascii: "\\") else {
                result.append(inside[index])
                index += 1
                continue
            }
            let letter = inside[index + 1]
            index += 2
            switch letter {
            case UInt8(ascii: "b"): result.append(0x08)
            case UInt8(ascii: "f"): result.append(0x0C)
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "u"): result.append(contentsOf: UTF8.encode(scalar(in: inside, at: &index)) ?? .init())
            default: result.append(letter)
            }
        }
        return result
    }

    /// Reads four hexadecimal digits; `nil` if there aren't four.
    static func hexUnit(in bytes: ArraySlice<UInt8>, at index: Int) -> UInt16? {
        guard bytes.endIndex - index >= 4 else { return nil }
        var unit: UInt16 = 0
        for next in index..<index + 4 {
            guard let digit = Hex.value(of: bytes[next]) else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    private static func scalar(in bytes: ArraySlice<UInt8>, at index: inout Int) -> Unicode.Scalar {
        let high = UInt32(hexUnit(in: bytes, at: index) ?? 0)
        index += 4
        guard high & 0xF800 == 0xD800 else { return Unicode.Scalar(high) ?? "\u{FFFD}" }
        let low = UInt32(hexUnit(in: bytes, at: index + 2) ?? 0)
        index += 6
        return Unicode.Scalar(0x10000 + (high & 0x3FF) << 10 + low & 0x3FF) ?? "\u{FFFD}"
    }
}
