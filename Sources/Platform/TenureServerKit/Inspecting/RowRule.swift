package import TenureCore
import TenureCrypto
package import TenureStore

/// A rule for one column of a table's rows.
package struct RowRule<Row: Stored> {
    let column: String
    let violation: Violation
    let fault: (Row, Inspection) -> String?

    /// Declares a rule.
    ///
    /// - Parameters:
    ///   - violation: A change of a sound row that the rule must detect.
    ///   - fault: Returns the problem with a row, as a sentence that continues after the column's name; `nil` for a
    ///     sound row.
    package init(_ column: String, _ violation: Violation, fault: @escaping (Row, Inspection) -> String?) {
        self.column = column
        self.violation = violation
        self.fault = fault
    }

    /// Declares a rule that a row violates if `isBroken` returns `true`.
    package static func not(
        _ column: String, _ sentence: String, _ violation: Violation, if isBroken: @escaping (Row) -> Bool
    ) -> RowRule {
        RowRule(column, violation) { row, _ in isBroken(row) ? sentence : nil }
    }

    /// The date in the column isn't in the future.
    package static func notFuture(
        _ column: String, where conditions: [String: Violation.Value] = [:], _ date: @escaping (Row) -> Timestamp?
    ) -> RowRule {
        RowRule(column, .changing([column: .future], where: conditions)) { row, inspection in
            inspection.isFuture(date(row)) ? "is in the future" : nil
        }
    }

    /// The date in the column isn't before an earlier one. `what` names the earlier date in the message, after "is
    /// before".
    package static func notBefore(
        _ column: String, _ what: String, _ dates: @escaping (Row) -> (date: Timestamp?, earlier: Timestamp?)
    ) -> RowRule {
        RowRule(column, [column: .past]) { row, inspection in
            let (date, earlier) = dates(row)
            return inspection.isBefore(date, earlier) ? "is before \(what)" : nil
        }
    }

    /// The date in the column isn't after the year 9999, so that RFC 3339 can express it.
    package static func writable(_ column: String, _ date: @escaping (Row) -> Timestamp?) -> RowRule {
        .not(column, "is after the year 9999", [column: 253_433_836_800]) { date($0).map { $0 > .latest } ?? false }
    }

    /// The end of a credential is after its start.
    package static func endsAfterStart(
        _ column: String, from start: String, _ dates: @escaping (Row) -> (end: Timestamp?, start: Timestamp)
    ) -> RowRule {
        .not(column, "is not after the start", [column: .column(start)]) { row in
            let (end, start) = dates(row)
            return end.map { $0 <= start } ?? false
        }
    }
}

extension RowRule where Row: SealedRow {
    /// The row's secret can be decrypted with the master key.
    ///
    /// Without a master key, the rule isn't checked.
    ///
    /// - Parameter conditions: The column values that select the rows with a secret.
    package static func decrypts(where conditions: [String: Violation.Value] = [:]) -> RowRule {
        RowRule(Row.sealedColumn, .changing([Row.sealedColumn: .zeros(60)], where: conditions)) { row, inspection in
            guard let master = inspection.master else { return nil }
            do throws(CryptoError) {
                _ = try master.open(row)
                return nil
            } catch {
                return "can't be decrypted with the master key"
            }
        }
    }
}
