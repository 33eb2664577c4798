package import TenureCore
package import TenureStore

/// A check of a whole store for rows that a correct server never writes.
///
/// Examples are contradictions, dates in the future, secrets that can't be decrypted, and references to missing rows.
/// The features' ``RowInvariant`` values report faults to it, and share facts about rows through it. Only one task may
/// use it at a time.
package final class Inspection {
    /// A damaged row.
    package struct Fault: Sendable, Hashable {
        package let table: String
        /// The row's name for people, or its key.
        package let row: String
        /// The column; `nil` if the fault concerns the whole row.
        package let column: String?
        package let sentence: String
    }

    package let now: Timestamp
    /// The master key for decrypting secrets; `nil` if it isn't available, so that secrets aren't checked.
    package let master: MasterKey?
    /// The first faults, at most ``most``.
    package private(set) var faults: [Fault] = []
    /// The number of faults beyond ``most``, which aren't listed.
    package private(set) var further = 0

    private let mayLeap: Bool
    private var seenKeys: [String: Set<Int64>] = [:]
    private var owed: [EventKind: Set<LicenseID>] = [:]
    private var owedActivations: [EventKind: Set<ActivationID>] = [:]
    private var partial: Set<String> = []

    /// Starts an inspection.
    ///
    /// - Parameter mayLeap: Whether an operator has accepted a clock change, so that a later record may have an earlier
    ///   date.
    package init(at now: Timestamp, under master: MasterKey?, mayLeap: Bool = false) {
        self.now = now
        self.master = master
        self.mayLeap = mayLeap
    }

    /// The maximum number of faults that are listed.
    package static let most = 1_000

    /// Records a fault.
    package func tell(_ table: TableShape, _ row: String, _ column: String?, _ sentence: String) {
        tell(table.name, row, column, sentence)
    }

    /// Records a fault of a table that the store's schema may lack.
    package func tell(_ table: String, _ row: String, _ column: String?, _ sentence: String) {
        if faults.count == Self.most {
            further += 1
        } else {
            faults.append(Fault(table: table, row: row, column: column, sentence: sentence))
        }
    }

    /// Whether a stored date is more than 300 s in the future. Smaller differences between clocks aren't damage.
    ///
    /// Always `false` if an operator has accepted a clock change.
    package func isFuture(_ time: Timestamp?) -> Bool {
        time.map { !mayLeap && $0 > now.adding(seconds: Self.step) } ?? false
    }

    /// Whether a date is more than 300 s before a date that it must follow.
    ///
    /// Always `false` if an operator has accepted a clock change, or if one of the dates is `nil`.
    package func isBefore(_ time: Timestamp?, _ earlier: Timestamp?) -> Bool {
        guard let time, let earlier, !mayLeap else { return false }
        return time.adding(seconds: Self.step) < earlier
    }

    private static let step: Int64 = 300

    /// Remembers that a record exists.
    ///
    /// - Parameter kind: The kind of record. Numbers are unique within a kind.
    package func remember(_ kind: String, _ number: Int64) { seenKeys[kind, default: []].insert(number) }

    /// Remembers that a record exists, and which tenant it belongs to.
    package func remember(_ kind: String, _ number: Int64, of tenant: TenantID) {
        remember(kind, number)
        remember(kind + " of tenant", Self.hash(number, tenant))
    }

    /// Whether a record was remembered as belonging to a tenant.
    package func knows(_ kind: String, _ number: Int64, of tenant: TenantID) -> Bool {
        knows(kind + " of tenant", Self.hash(number, tenant))
    }

    private static func hash(_ number: Int64, _ tenant: TenantID) -> Int64 {
        var hasher = Hasher()
        hasher.combine(number)
        hasher.combine(tenant)
        return Int64(hasher.finalize())
    }

    /// Whether a record was remembered.
    package func knows(_ kind: String, _ number: Int64) -> Bool { seenKeys[kind]?.contains(number) ?? false }

    /// Remembers that some rows of a table couldn't be read, so that a reference to a missing row isn't a fault.
    package func doubt(_ table: TableShape) { partial.insert(table.name) }

    /// Whether every row of the given tables could be read.
    package func isWhole(_ tables: TableShape...) -> Bool { tables.allSatisfy { !partial.contains($0.name) } }

    /// Expects an event about a license, such as the event that explains why the license was revoked.
    package func owe(_ event: EventKind, about license: LicenseID) { owed[event, default: []].insert(license) }

    /// Expects an event that explains an activation.
    package func owe(_ event: EventKind, about activation: ActivationID) {
        owedActivations[event, default: []].insert(activation)
    }

    /// Removes the expectation that an event fulfills, if there is one.
    package func meet(_ event: Event) {
        if let license = event.subject.license { owed[event.kind]?.remove(license) }
        if let activation = event.subject.activation { owedActivations[event.kind]?.remove(activation) }
    }

    /// Reports each expected event that wasn't found, as a fault of the given table.
    package func tellOwed(in table: TableShape) {
        for (event, licenses) in owed.sorted(by: { $0.key.text < $1.key.text }) {
            for license in licenses.sorted() { tell(table, "\(license)", nil, "there is no \(event) event for it") }
        }
        for (event, activations) in owedActivations.sorted(by: { $0.key.text < $1.key.text }) {
            for activation in activations { tell(table, "\(activation)", nil, "there is no \(event) event for it") }
        }
        (owed, owedActivations) = ([:], [:])
    }
}
