/// A service that must run once, however many servers share a store.
///
/// The numbers name the services among servers of several versions: they are never used for another one.
public enum Role: Int32, Sendable, Hashable, CaseIterable {
    /// Writes down which licenses time has expired.
    case expirySweep = 16
}
