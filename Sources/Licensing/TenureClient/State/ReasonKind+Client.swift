package import TenureCore

/// The reasons that only a client gives. It also passes on a server's reasons, such as those in
/// `Reason+Licensing.swift`.
extension Reason.Kind {
    /// A valid lease confirms the license.
    package static let leaseHolds = Reason.Kind(
        "lease_holds", "The license is confirmed.",
        cure: "No action is needed. The license is confirmed again automatically when you're online.",
        facts: leaseDates, since: "0.1")
    /// The lease has ended and no new one could be obtained.
    package static let leaseLapsed = Reason.Kind(
        "lease_lapsed", "The license hasn't been confirmed for too long.",
        cure: "Connect to the internet. The app then confirms the license automatically, or you can check now.",
        facts: leaseDates, since: "0.1")
    /// The stored lease fails verification.
    package static let leaseUnverifiable = Reason.Kind(
        "lease_unverifiable", "The stored confirmation of the license can't be verified.",
        cure:
            "Connect to the internet. The app then confirms the license again automatically, or you can check now.",
        facts: [.text("problem")], since: "0.1")
    /// A license is stored without a lease.
    package static let leaseMissing = Reason.Kind(
        "lease_missing", "The license hasn't been confirmed on this device yet.",
        cure: "Connect to the internet. The app then confirms the license automatically, or you can check now.",
        since: "0.1")
    /// The record was modified or truncated.
    package static let recordCorrupted = Reason.Kind(
        "record_corrupted", "The license record on this device is damaged.",
        cure: "Enter the license key again. If you don't have one, connect to the internet and check now.",
        facts: [.date("foundAt").optional], since: "0.1")
    /// The record was written on another device or for another product.
    package static let recordForeign = Reason.Kind(
        "record_foreign", "The license record was written on another device or for another product.",
        cure: "Activate the license key on this device. If you don't have one, connect to the internet and check now.",
        facts: [.date("foundAt").optional], since: "0.1")
    package static let recordUnreadable = Reason.Kind(
        "record_unreadable", "The license record can't be read.",
        cure: "Allow the app to read its files, then start it again.", since: "0.1")
    package static let recordUnwritable = Reason.Kind(
        "record_unwritable", "The license record can't be saved.",
        cure: "Allow the app to write its files, and check that the disk has free space.", since: "0.1")
    package static let clockSetBack = Reason.Kind(
        "clock_set_back", "This device's clock was set back.",
        cure: "Correct the clock, or connect to the internet and check now.",
        facts: [.date("clock"), .date("atLeast"), .number("behindSeconds"), .number("toleranceSeconds")], since: "0.1")
    package static let trialRunning = Reason.Kind(
        "trial_running", "The trial is running.", cure: "Activate a license key to continue after the trial.",
        facts: [.number("daysLeft"), .date("endsAt")], since: "0.1")
    package static let trialEnded = Reason.Kind(
        "trial_ended", "The trial has ended.", cure: "Activate a license key.", facts: [.date("endedAt")], since: "0.1")
    package static let trialNotStarted = Reason.Kind(
        "trial_not_started", "There is no license, and the trial hasn't been started.",
        cure: "Start the trial, or activate a license key.", since: "0.1")
    package static let freeTier = Reason.Kind(
        "free_tier", "The product has a free plan.", cure: "Activate a license key to unlock everything.",
        since: "0.1")
    package static let noFreeTier = Reason.Kind(
        "no_free_tier", "The product has no free plan.", cure: "Activate a license key.", since: "0.1")
    /// The terms for users without a license were never fetched.
    package static let productTermsUnknown = Reason.Kind(
        "product_terms_unknown", "The license server hasn't yet told the app what you can use without a license.",
        cure: "Connect to the internet and check now, or activate a license key.", since: "0.1")
    /// The product's terms were never fetched, so neither a trial nor a free plan is assumed.
    package static let notConnectedYet = Reason.Kind(
        "not_connected_yet", "Connect once to see what is included.",
        cure: "Connect to the internet and check now, or activate a license key.", since: "0.1")
    /// The last request got no response that may change the state.
    package static let serverUnreached = Reason.Kind(
        "server_unreached", "The request to the license server failed.",
        cure: "No action is needed. The app tries again automatically.",
        facts: [.text("cause").optional, .text("detail").optional, .date("until").optional, .date("triedAt").optional],
        since: "0.1")
    /// The server refused the license without giving a reason.
    package static let licenseRefused = Reason.Kind(
        "license_refused", "The license server refused the license.", cure: "Ask the vendor why.", since: "0.1")
    /// A link would replace a working license.
    package static let licenseInUse = Reason.Kind(
        "license_in_use", "This device already has a valid license.",
        cure: "To replace it, open the link again and confirm.", since: "0.1")
    /// The state hasn't been decided since the app started.
    package static let notLookedYet = Reason.Kind(
        "not_looked_yet", "The license hasn't been checked since the app started.", cure: "Wait a moment.",
        since: "0.1")

    package static let client: [Reason.Kind] = [
        .leaseHolds, .leaseLapsed, .leaseUnverifiable, .leaseMissing, .recordCorrupted, .recordForeign,
        .recordUnreadable, .recordUnwritable, .clockSetBack, .trialRunning, .trialEnded, .trialNotStarted, .freeTier,
        .noFreeTier, .notConnectedYet, .productTermsUnknown, .serverUnreached, .licenseRefused, .licenseInUse,
        .notLookedYet,
    ]

    private static let leaseDates: [Fact] = [.date("issuedAt"), .date("expiresAt"), .date("termEnd").optional]
}
