import TenureCommandLine
package import TenureCore
import TenureFormats

extension SelfRelease {
    fileprivate static let section = CatalogObject(
        "How many devices license holders may release themselves from another device; null if they may not.",
        sample: SelfRelease(cooldownDays: 0, perYear: 1), isNullable: true,
        [
            .number("cooldownDays", 0...365, \.cooldownDays), .number("perYear", 1...highestPerYear, \.perYear),
        ])
}

extension CatalogField {
    /// The limits on releasing a device from another device; `null` forbids releasing devices this way.
    ///
    /// Both members of the object are required, because neither has a safe default.
    package static func selfRelease(_ path: any WritableKeyPath<Record, SelfRelease?> & Sendable) -> Self {
        Self(
            "selfRelease",
            schema: { _ in SelfRelease.section.schema.adding("default", .null) },
            text: { $0[keyPath: path].map { "\($0.perYear) a year, \($0.cooldownDays.of("day")) apart" } ?? "none" },
            { node, record, reader in
                guard node.value != .null else { return }
                var rule = SelfRelease(cooldownDays: 0, perYear: 1)
                let found = reader.problems.count
                SelfRelease.section.fill(&rule, from: SelfRelease.section.members(of: node, &reader), of: node, &reader)
                if reader.problems.count == found { record[keyPath: path] = rule }
            })
    }
}

extension CatalogField {
    /// A required whole number.
    fileprivate static func number(
        _ name: String, _ range: ClosedRange<Int>, _ path: any WritableKeyPath<Record, Int> & Sendable
    ) -> Self {
        Self(
            name, needs: "needs \(name)",
            schema: { _ in .integer(Int64(range.lowerBound)...Int64(range.upperBound)) },
            text: { String($0[keyPath: path]) }
        ) { node, record, reader in
            if let number = reader.integer(node, in: range) {
                record[keyPath: path] = number
            } else if node.value == .null {
                reader.report(node, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
        }
    }
}
