package import TenureCore

/// Sightings that wait to be written down.
package struct WaitingSightings: Sendable {
    /// What is left to write; a large gathering is written in portions, so that no change waits long for it.
    ///
    /// In the order of the ids, so that a portion touches neighbouring rows: many to a page instead of a page for each.
    package private(set) var rest: ArraySlice<(key: ActivationID, value: Timestamp)>
    /// Who waits for it.
    package let caller: CheckedContinuation<Result<Void, StoreError>, Never>

    package init(
        _ sightings: [ActivationID: Timestamp], caller: CheckedContinuation<Result<Void, StoreError>, Never>
    ) {
        rest = sightings.sorted { ($0.key.high, $0.key.low) < ($1.key.high, $1.key.low) }[...]
        self.caller = caller
    }

    /// Takes the next portion off.
    package mutating func nextPortion() -> ArraySlice<(key: ActivationID, value: Timestamp)> {
        let portion = rest.prefix(Self.portion)
        rest = rest.dropFirst(Self.portion)
        return portion
    }

    private static let portion = 4_000
}
