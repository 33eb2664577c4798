/// An error about wrong usage; the program prints it and exits with code 2.
///
/// A command may also throw it for mistakes that only the command can detect, such as options that exclude each other.
package struct UsageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The message in one line: the fault and the correct usage.
    package let message: String

    package init(_ message: String) { self.message = message }

    /// The line that the program prints.
    package var description: String { message }
}

extension [String] {
    /// Returns the element that a mistyped word most likely means, or `nil` if none is close.
    ///
    /// It tolerates one typo in a word of up to five letters and two in a longer one. A prefix of at least two letters
    /// also counts as close.
    package func closest(to word: String) -> String? {
        let letters = Array<Character>(word)
        let allowed = letters.count(where: { $0 != "-" }) < 6 ? 1 : 2
        let near = map { (name: $0, slips: slips(from: letters, to: Array<Character>($0))) }
            .filter { $0.slips <= allowed }
            .min { $0.slips < $1.slips }
        if let near { return near.name }
        return letters.count(where: { $0 != "-" }) < 2 ? nil : first { $0.hasPrefix(word) }
    }

    /// Counts the letters to add, drop, replace or swap with a neighbour (optimal string alignment).
    private func slips(from one: [Character], to other: [Character]) -> Int {
        guard !one.isEmpty, !other.isEmpty else { return Swift.max(one.count, other.count) }
        var beforeLast: [Int] = []
        var last = Array<Int>(0...other.count)
        for row in 1...one.count {
            var current = [row]
            for column in 1...other.count {
                let isSame = one[row - 1] == other[column - 1]
                var slips = Swift.min(
                    last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
                let isSwap =
                    row > 1 && column > 1 && one[row - 1] == other[column - 2] && one[row - 2] == other[column - 1]
                if isSwap { slips = Swift.min(slips, beforeLast[column - 2] + 1) }
                current.append(slips)
            }
            (beforeLast, last) = (last, current)
        }
        return last[other.count]
    }
}
