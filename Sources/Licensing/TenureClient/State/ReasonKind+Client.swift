package import TenureCore

/// The reasons that only a client gives; it passes on those of a server, which are in `TenureCore`.
extension Reason.Kind {
    /// A valid lease confirms the license.
    package static let leaseHolds = Reason.Kind(
        "lease_holds", "The license is confirmed.",
        cure: "Nothing needs to be done; it is confirmed again by itself when there is a network.",
        facts: leaseDates, since: "0.1")
    /// The lease has ended and no new one could be obtained.
    package static let leaseLapsed = Reason.Kind(
        "lease_lapsed", "The license was not confirmed for too long.",
        cure: "Connect to the internet once; the license is confirmed by itself, or at once if you check now.",
        facts: leaseDates, since: "0.1")
    /// The stored lease fails verification.
    package static let leaseUnverifiable = Reason.Kind(
        "lease_unverifiable", "What confirms the license cannot be verified.",
        cure: "Connect to the internet once; the license is confirmed anew by itself, or at once if you check now.",
        facts: [.text("problem")], since: "0.1")
    /// A license is stored without a lease.
    package static let leaseMissing = Reason.Kind(
        "lease_missing", "The license has not been confirmed on this device.",
        cure: "Connect to the internet once; the license is confirmed by itself, or at once if you check now.",
        since: "0.1")
    /// The record was modified or truncated.
    package static let recordCorrupted = Reason.Kind(
        "record_corrupted", "The license record was damaged.",
        cure: "Enter the license key again; without one, connect to the internet once and check now.",
        facts: [.date("foundAt").optional], since: "0.1")
    /// The record was written on another device or for another product.
    package static let recordForeign = Reason.Kind(
        "record_foreign", "The license record was written on another device, or for another product.",
        cure: "Activate the license key on this device; without one, connect to the internet once and check now.",
        facts: [.date("foundAt").optional], since: "0.1")
    package static let recordUnreadable = Reason.Kind(
        "record_unreadable", "The license record cannot be read.",
        cure: "Let the app read its files, then start it again.", since: "0.1")
    package static let recordUnwritable = Reason.Kind(
        "record_unwritable", "The license record cannot be written.",
        cure: "Let the app write its files and see that the disk has room.", since: "0.1")
    package static let clockSetBack = Reason.Kind(
        "clock_set_back", "The clock of this device was set back.",
        cure: "Set the clock right, or connect to the internet once and check now.",
        facts: [.date("clock"), .date("atLeast"), .number("behindSeconds"), .number("toleranceSeconds")], since: "0.1")
    package static let trialRunning = Reason.Kind(
        "trial_running", "The trial runs.", cure: "Activate a license key to go on after it.",
        facts: [.number("daysLeft"), .date("endsAt")], since: "0.1")
    package static let trialEnded = Reason.Kind(
        "trial_ended", "The trial ended.", cure: "Activate a license key.", facts: [.date("endedAt")], since: "0.1")
    package static let trialNotStarted = Reason.Kind(
        "trial_not_started", "There is no license, and no trial was started.",
        cure: "Start the trial, or activate a license key.", since: "0.1")
    package static let freeTier = Reason.Kind(
        "free_tier", "The product has a free plan.", cure: "Activate a license key to unlock everything.",
        since: "0.1")
    package static let noFreeTier = Reason.Kind(
        "no_free_tier", "The product has no free plan.", cure: "Activate a license key.", since: "0.1")
    /// The terms for users without a license were never fetched.
    package static let productTermsUnknown = Reason.Kind(
        "product_terms_unknown", "The license server has not been asked what is free yet.",
        cure: "Connect to the internet once and check now, or activate a license key.", since: "0.1")
    /// The last request brought no answer that may change the state.
    package static let serverUnreached = Reason.Kind(
        "server_unreached", "The license server could not be asked.",
        cure: "Nothing needs to be done; it is tried again by itself.",
        facts: [.text("cause").optional, .date("until").optional], since: "0.1")
    /// The server refused the license without giving a reason.
    package static let licenseRefused = Reason.Kind(
        "license_refused", "The license server refused the license.", cure: "Ask the vendor.", since: "0.1")
    /// A link would replace a working license.
    package static let licenseInUse = Reason.Kind(
        "license_in_use", "A license that works is on this device already.",
        cure: "Open the link again and agree to replace it.", since: "0.1")
    /// The state hasn't been decided since the app started.
    package static let notLookedYet = Reason.Kind(
        "not_looked_yet", "The license has not been looked at since the app started.", cure: "Wait a moment.",
        since: "0.1")

    /// All reasons that a client gives.
    package static let client: [Reason.Kind] = [
        .leaseHolds, .leaseLapsed, .leaseUnverifiable, .leaseMissing, .recordCorrupted, .recordForeign,
        .recordUnreadable, .recordUnwritable, .clockSetBack, .trialRunning, .trialEnded, .trialNotStarted, .freeTier,
        .noFreeTier, .productTermsUnknown, .serverUnreached, .licenseRefused, .licenseInUse,
        .notLookedYet,
    ]

    private static let leaseDates: [Fact] = [.date("issuedAt"), .date("expiresAt"), .date("termEnd").optional]
}
