extension String {
    /// The longest beginning that has at most `limit` bytes and ends between two characters.
    ///
    /// If the first character alone is longer, it ends between two scalars.
    package func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        let characters = prefix(of: self, limit) { $0.utf8.count }
        guard characters.isEmpty else { return String(characters) }
        return String(prefix(of: unicodeScalars, limit) { UTF8.width($0) })
    }

    private func prefix<Units: Collection>(
        of units: Units, _ limit: Int, _ width: (Units.Element) -> Int
    ) -> Units.SubSequence {
        var length = 0
        return units.prefix { unit in
            length += width(unit)
            return length <= limit
        }
    }
}
