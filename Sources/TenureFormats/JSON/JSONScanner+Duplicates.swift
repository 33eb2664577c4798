extension JSONScanner {
    /// Refuses two members of one name. Few are compared pairwise, many through a set with a keyed hash, so that
    /// nobody can choose names that make it slow.
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

    /// The bytes that a member's name reads as.
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
            .duplicateMember, at: member.name.lowerBound - 1, "an object has the member\(shown) twice; send it once")
    }

    /// A name that hashes all its bytes at once.
    private struct Name: Hashable {
        let bytes: ArraySlice<UInt8>

        func hash(into hasher: inout Hasher) {
            bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }
}
