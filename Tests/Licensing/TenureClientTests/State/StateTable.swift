import TenureClient
import TenureCore
import TenureVault
import Testing

/// The table that decides a state, row by row. `Documentation/state-table.md` is generated from it.
enum StateTable {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let situation: Situation
        let state: LicenseState
        let code: String

        var testDescription: String { text }
    }

    struct Part: Sendable {
        let title: String
        let rows: [Row]
    }

    static let parts = [
        Part(title: "The six states", rows: seed),
        Part(title: "The two decisions under them", rows: decisions),
        Part(title: "After `deactivate()`: there is no stored license, so the table decides", rows: deactivated),
        Part(title: "A stored license, further", rows: stored),
        Part(title: "No stored license, further", rows: keyless),
    ]

    private static func row(
        _ text: String, _ situation: Situation, _ state: LicenseState, _ code: String
    ) -> Row { Row(text: text, situation: situation, state: state, code: code) }

    private static let free = Given.terms(free: true)
    private static let paid = Given.terms(free: false)

    private static func stored(_ license: StoredLicense, terms: ProductTerms? = paid) -> Situation {
        Situation(license: license, terms: terms)
    }

    private static let seed: [Row] = [
        row(
            "Clock manipulated", Situation(clock: Given.clockSetBack, license: .lease(Given.lease()), terms: free),
            .invalid, "clock_set_back"),
        row(
            "Stored license, fresh cached lease, status `active`", stored(.lease(Given.lease())), .licensed,
            "lease_holds"),
        row(
            "Stored license, cached lease status `fallback`", stored(.lease(Given.lease(.fallback))), .limited,
            "license_expired"),
        row(
            "Stored license expired, server issues an `active` lease",
            stored(.lease(Given.lease(issued: 0, ends: 7 * Given.day))), .licensed, "lease_holds"),
        row(
            "Stored license expired, server issues a `fallback` lease (fallback on)",
            stored(.refused(Given.refused("license_expired", lease: Given.lease(.fallback, issued: 0)))), .limited,
            "license_expired"),
        row(
            "Stored license expired, fallback off",
            stored(.refused(Given.refused("license_expired", lease: Given.lease(.expired, issued: 0)))), .expired,
            "license_expired"),
        row(
            "Explicit server rejection at revalidation", stored(.refused(Given.refused("license_revoked"))), .invalid,
            "license_revoked"),
        row(
            "Clock issue at revalidation",
            Situation(clock: Given.clockSetBack, license: .refused(Given.refused("license_revoked")), terms: paid),
            .invalid,
            "clock_set_back"),
        row(
            "No stored license, trial running", Situation(trial: Given.trialRunning, terms: free),
            .trial(daysLeft: 11), "trial_running"),
        row(
            "No stored license, trial ended, free tier on", Situation(trial: Given.trialOver, terms: free), .freeTier,
            "free_tier"),
        row("No stored license, trial not started, free tier on", Situation(terms: free), .freeTier, "free_tier"),
        row(
            "No stored license, trial ended, free tier off", Situation(trial: Given.trialOver, terms: paid), .expired,
            "trial_ended"),
        row(
            "No stored license, trial not started, free tier off", Situation(terms: paid), .expired,
            "trial_not_started"),
    ]

    private static let decisions: [Row] = [
        row(
            "An expired paid key with fallback off stays expired, free tier on or not",
            stored(.refused(Given.refused("license_expired", lease: Given.lease(.expired, issued: 0))), terms: free),
            .expired, "license_expired"),
        row(
            "Product configuration never fetched: no free tier is assumed", Situation(), .expired,
            "not_connected_yet"),
    ]

    private static let deactivated: [Row] = [
        row(
            "Deactivated, trial still running", Situation(trial: Given.trialRunning, terms: paid), .trial(daysLeft: 11),
            "trial_running"),
        row(
            "Deactivated, trial ended, free tier on", Situation(trial: Given.trialOver, terms: free), .freeTier,
            "free_tier"),
        row(
            "Deactivated, trial ended, free tier off", Situation(trial: Given.trialOver, terms: paid), .expired,
            "trial_ended"),
    ]

    private static let stored: [Row] = [
        row(
            "`active` lease, 300 s after its end (skew allowance)", stored(.lease(Given.lease(ends: -300))), .licensed,
            "lease_holds"),
        row("`active` lease, 301 s after its end", stored(.lease(Given.lease(ends: -301))), .expired, "lease_lapsed"),
        row(
            "`active` lease lapsed, free tier on", stored(.lease(Given.lease(ends: -Given.day)), terms: free), .expired,
            "lease_lapsed"),
        row(
            "`active` lease lapsed, trial running",
            Situation(license: .lease(Given.lease(ends: -Given.day)), trial: Given.trialRunning, terms: free), .expired,
            "lease_lapsed"),
        row(
            "`active` lease holds, server unreachable",
            Situation(license: .lease(Given.lease()), unreached: RequestFailure(.offline, "no route")), .licensed,
            "lease_holds"),
        row(
            "`active` lease lapsed, server unreachable",
            Situation(license: .lease(Given.lease(ends: -Given.day)), unreached: RequestFailure(.offline, "no route")),
            .expired, "lease_lapsed"),
        row(
            "`fallback` lease lapsed: the reduced mode stays", stored(.lease(Given.lease(.fallback, ends: -Given.day))),
            .limited, "license_expired"),
        row("`expired` lease", stored(.lease(Given.lease(.expired))), .expired, "license_expired"),
        row(
            "Server says suspended", stored(.refused(Given.refused("license_suspended"))), .invalid, "license_suspended"
        ),
        row(
            "Server says released on another device", stored(.refused(Given.refused("activation_released"))), .invalid,
            "activation_released"),
        row(
            "Server knows no such key", stored(.refused(Given.refused("license_unknown"))), .invalid, "license_unknown"),
        row(
            "Server says expired, without a lease", stored(.refused(Given.refused("license_expired"))), .expired,
            "license_expired"),
        row(
            "Server says no with a reason of its own", stored(.refused(Given.refused("seat_of_elders"))), .invalid,
            "seat_of_elders"),
        row(
            "Cached lease does not verify", stored(.unverifiable(.badSignature)), .invalid, "lease_unverifiable"),
        row("License without any lease", stored(.unconfirmed), .expired, "lease_missing"),
        row(
            "Record damaged", stored(.unreadable(VaultError(.corrupted, "The record is damaged."))), .invalid,
            "record_corrupted"),
        row(
            "Record of another device", stored(.unreadable(VaultError(.foreign, "Another device wrote the record."))),
            .invalid, "record_foreign"),
        row(
            "Record cannot be read", stored(.unreadable(VaultError(.unreadable, "The record cannot be read."))),
            .invalid, "record_unreadable"),
    ]

    private static let keyless: [Row] = [
        row(
            "Clock manipulated, free tier on", Situation(clock: Given.clockSetBack, terms: free), .invalid,
            "clock_set_back"),
        row(
            "Trial running, configuration never fetched", Situation(trial: Given.trialRunning), .trial(daysLeft: 11),
            "trial_running"),
        row(
            "Trial in its last second", Situation(trial: .signed(start: Given.after(1 - 14 * Given.day), days: 14)),
            .trial(daysLeft: 1), "trial_running"),
        row(
            "Trial at its end, configuration never fetched", Situation(trial: Given.trialOver), .expired, "trial_ended"),
        row(
            "Local trial running, of the length the app was built with",
            Situation(trial: .local(start: DeviceTime(Given.now.adding(days: -3)), days: 7)), .trial(daysLeft: 4),
            "trial_running"),
        row(
            "Local trial, and the vendor says it lasts longer",
            Situation(trial: .local(start: DeviceTime(Given.now.adding(days: -3)), days: 7), terms: paid),
            .trial(daysLeft: 11),
            "trial_running"),
        row(
            "Local trial, and the vendor says there is none",
            Situation(
                trial: .local(start: DeviceTime(Given.now.adding(days: -3)), days: 7),
                terms: Given.terms(free: false, trialDays: 0)), .expired, "trial_not_offered"),
        row(
            "The server signed that there is no trial", Situation(trial: .signed(start: Given.after(0), days: 0)),
            .expired, "trial_not_offered"),
        row(
            "Trial not started, none offered, free tier on",
            Situation(terms: Given.terms(free: true, trialDays: 0)), .freeTier, "free_tier"),
    ]
}
