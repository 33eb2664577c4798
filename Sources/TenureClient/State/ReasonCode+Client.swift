package import TenureCore

/// The codes that only a client says; those of a server are `TenureCore`'s.
extension ReasonCode {
    /// A lease confirms the license.
    package static let leaseHolds = ReasonCode("lease_holds")
    /// The lease lapsed: nothing confirmed the license for too long.
    package static let leaseLapsed = ReasonCode("lease_lapsed")
    /// The kept lease does not verify.
    package static let leaseUnverifiable = ReasonCode("lease_unverifiable")
    /// A license is kept without a lease.
    package static let leaseMissing = ReasonCode("lease_missing")
    /// The record was changed or cut.
    package static let recordCorrupted = ReasonCode("record_corrupted")
    /// The record was written on another device, or for another product.
    package static let recordForeign = ReasonCode("record_foreign")
    /// The record cannot be read now.
    package static let recordUnreadable = ReasonCode("record_unreadable")
    /// The record cannot be written now.
    package static let recordUnwritable = ReasonCode("record_unwritable")
    /// The device's clock was set back.
    package static let clockSetBack = ReasonCode("clock_set_back")
    /// The trial runs.
    package static let trialRunning = ReasonCode("trial_running")
    /// The trial is over.
    package static let trialEnded = ReasonCode("trial_ended")
    /// Nobody started a trial.
    package static let trialNotStarted = ReasonCode("trial_not_started")
    /// The product has no trial.
    package static let trialNotOffered = ReasonCode("trial_not_offered")
    /// There is a free plan.
    package static let freeTier = ReasonCode("free_tier")
    /// There is no free plan.
    package static let noFreeTier = ReasonCode("no_free_tier")
    /// What the vendor allows without a license was never fetched.
    package static let productTermsUnknown = ReasonCode("product_terms_unknown")
    /// The last request brought nothing that may change a state.
    package static let serverUnreached = ReasonCode("server_unreached")
}
