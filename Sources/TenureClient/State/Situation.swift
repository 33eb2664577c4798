/// Everything that a state is decided from; time is the other argument.
package struct Situation: Sendable, Hashable {
    /// Whether the device's clock can be believed.
    package var clock: ClockVerdict
    /// The stored license; nil when there is none.
    package var license: StoredLicense?
    /// The trial of this device.
    package var trial: Trial
    /// What the vendor allows people without a license; nil when that was never fetched.
    package var terms: ProductTerms?
    /// The record that was here before could not be used; nil when there was none, or it no longer matters.
    package var loss: RecordLoss?
    /// Why the last request brought nothing; nil when it brought something.
    package var unreached: Unreached?
    /// Why the record could not be written last; nil when it could.
    package var unwritten: VaultError?

    /// Puts a situation together; without arguments, that of a first launch.
    package init(
        clock: ClockVerdict = .believed, license: StoredLicense? = nil, trial: Trial = .notStarted,
        terms: ProductTerms? = nil, loss: RecordLoss? = nil, unreached: Unreached? = nil, unwritten: VaultError? = nil
    ) {
        self.clock = clock
        self.license = license
        self.trial = trial
        self.terms = terms
        self.loss = loss
        self.unreached = unreached
        self.unwritten = unwritten
    }
}

/// The last word on a stored license.
package enum StoredLicense: Sendable, Hashable {
    /// A lease that verifies; it may have lapsed since.
    case lease(LeaseFacts)
    /// A verified no that came after every lease.
    case refused(VerifiedNo)
    /// A lease is kept, and it does not verify.
    case unverifiable(LeaseProblem)
    /// A license is kept without any word on it.
    case unconfirmed
    /// The record is there and cannot be read, so nobody knows.
    case unreadable(VaultError)
}

/// What a state comes to.
package struct Resolution: Sendable, Hashable {
    /// The state.
    package let state: LicenseState
    /// Why.
    package let explanation: Explanation
}
