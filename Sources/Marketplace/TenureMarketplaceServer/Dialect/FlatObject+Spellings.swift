import TenureFormats

extension FlatObject {
    /// A number that Apple writes under two names, such as `appleItemId` and `appleItemID`.
    enum SpelledNumber: Sendable, Hashable {
        case number(UInt64)
        /// Neither name is present, or a value isn't a number.
        case missing
        /// Both names are present with different values, so two readers could disagree on the number.
        case ambiguous

        var number: UInt64? { if case .number(let number) = self { number } else { nil } }
    }

    /// Reads the number under either name.
    ///
    /// Both names may be present if they have the same number; `null` under the second name counts as absent.
    func number(_ name: String, or other: String) -> SpelledNumber {
        let second = identifier(other)
        guard kind(name) != nil else { return second.value.map(SpelledNumber.number) ?? .missing }
        guard let number = identifier(name).value else { return .missing }
        switch second {
        case .absent, .null: return .number(number)
        case .value(number): return .number(number)
        case .value, .wrongType: return .ambiguous
        }
    }
}
