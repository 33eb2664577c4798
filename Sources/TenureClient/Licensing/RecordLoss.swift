/// That an earlier record could not be used, which this one says in its place.
package struct RecordLoss: Sendable, Hashable, Codable {
    /// What was wrong with it.
    package enum Code: String, Sendable, Hashable, Codable {
        /// It was changed or cut.
        case corrupted
        /// It was written on another device, or for another product.
        case foreign
    }

    /// Which.
    package let code: Code
    /// When this record took its place.
    package internal(set) var at: Moment

    /// Notes it down.
    package init(_ code: Code, at moment: Moment) {
        self.code = code
        at = moment
    }

    /// Notes an error down that nothing but a new record ends; nil for any other.
    init?(_ error: VaultError?, at moment: Moment) {
        switch error?.code {
        case .corrupted: self.init(.corrupted, at: moment)
        case .foreign: self.init(.foreign, at: moment)
        case .unreadable, .unwritable, .busy, nil: return nil
        }
    }
}
