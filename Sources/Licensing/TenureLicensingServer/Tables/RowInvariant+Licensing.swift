import TenureCore
import TenureLicensing
import TenureServerKit
import TenureStore

extension RowInvariant {
    /// The invariants of software licenses, their activations, credentials, trials and signing keys.
    static func licensing(_ inspection: Inspection) -> [RowInvariant] {
        let (times, roots) = (ActivationTimes(), InspectedKeyRoots())
        return [
            products(inspection), policies(inspection), keyRoots(inspection, into: roots),
            licenses(inspection, after: roots), activations(inspection, into: times),
            lastSeen(inspection, after: times), formerKeys(inspection), credentials(inspection), trials(inspection),
            trialDevices(inspection),
            signingKeys(inspection), preparedKeys(inspection),
        ]
    }

    private static func products(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            Product.self, in: inspection, named: { "\($0.ref)" },
            [.not("trial_days", "is negative", ["trial_days": -1]) { $0.trialDays < 0 }])
    }

    private static func policies(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            PolicyRow.self, in: inspection, named: { "\($0.product)/\($0.policy.id)" },
            [
                .not(
                    "activation_limit", "is not 1 to \(Policy.highestActivationLimit)", ["activation_limit": 0]
                ) { $0.policy.activationLimit.map { !(1...Policy.highestActivationLimit).contains($0) } ?? false },
                .not("device_changes", "is negative", ["device_changes": -4]) {
                    $0.policy.deviceChanges.map { $0 < 0 } ?? false
                },
                .not(
                    "device_changes", "is set although there is no device limit",
                    ["activation_limit": nil, "device_changes": 1]
                ) { $0.policy.deviceChanges != nil && $0.policy.activationLimit == nil },
                .not("lease_days", "is less than one day", ["lease_days": 0]) { $0.policy.leaseDays < 1 },
                .not("grace_days", "is negative", ["grace_days": -1]) { $0.policy.graceDays < 0 },
                .not("entitlements", "lists an entitlement twice", ["entitlements": "export,export"]) {
                    Set($0.policy.entitlements).count < $0.policy.entitlements.count
                },
                .not(
                    "start_by", "is set although terms start when licenses are issued",
                    ["term_starts": "issue", "start_by": "P1Y"]
                ) { $0.policy.startBy != nil && $0.policy.termStarts == .issue },
                .not(
                    "term_starts", "is activation although there is no duration",
                    ["term_starts": "activation", "duration": nil]
                ) { $0.policy.termStarts == .activation && $0.policy.duration == nil },
                .not(
                    "self_release_cooldown_days", "is negative",
                    ["self_release_cooldown_days": -1, "self_release_per_year": 1]
                ) { $0.policy.selfRelease.map { $0.cooldownDays < 0 } ?? false },
                .not(
                    "self_release_per_year", "allows no release",
                    ["self_release_cooldown_days": 1, "self_release_per_year": 0]
                ) { $0.policy.selfRelease.map { $0.perYear < 1 } ?? false },
            ])
    }

    private static func licenses(_ inspection: Inspection, after roots: InspectedKeyRoots) -> RowInvariant {
        let events = EventRecord.table.shape
        let stopped: [Violation] = ["revoked", "suspended", "returned"].map { state in
            .changing(["state": .value(.text(state))], where: ["state": "active"])
        }
        return RowInvariant(
            License.self, in: inspection, named: \.id.description,
            [
                .notFuture("issued_at") { $0.issuedAt },
                .notFuture("first_activated_at", where: ["state": "active"]) { $0.firstActivatedAt },
                .notBefore("first_activated_at", "the license was issued") { ($0.firstActivatedAt, $0.issuedAt) },
                .writable("term_end") { $0.term.end },
                .not("key_masked", "is empty", ["key_masked": "", "key_ending": nil]) { $0.key.masked.isEmpty },
                .not(
                    "key_masked", "hides nothing of the key",
                    ["key_masked": "NOTE-0000-0000-0001", "key_ending": "0001"]
                ) { !$0.key.masked.contains("*") },
                .not("key_generation", "is negative", ["key_generation": -1]) { $0.keyGeneration < 0 },
                RowRule("key_root", ["key_root": 1]) { license, inspection in
                    inspection.master.flatMap { roots.fault(of: license, under: $0, in: inspection) }
                },
                .not("order_reference", "is an empty string", ["order_reference": ""]) { $0.terms.order == "" },
                .not("holder", "is an empty string", ["holder": ""]) { $0.holder == "" },
                .not("holder_email", "is no e-mail address", ["holder_email": "ada"]) {
                    $0.terms.holderEmail.map { !EmailAddress.isOne($0) } ?? false
                },
                .not("holder_name", "is an empty string", ["holder_name": ""]) { $0.terms.holderName == "" },
                .not(
                    "activation_limit", "is not 1 to \(Policy.highestActivationLimit)", ["activation_limit": 0]
                ) { $0.terms.activationLimit.map { !(1...Policy.highestActivationLimit).contains($0) } ?? false },
                .not(
                    "state", "is issued although a device was activated",
                    .changing(["state": "issued"], where: ["first_activated_at": .present])
                ) { $0.recordedState == .issued && $0.firstActivatedAt != nil },
                .not(
                    "state", "is active although no device was activated",
                    .changing(["state": "active"], where: ["first_activated_at": nil])
                ) { $0.recordedState == .active && $0.firstActivatedAt == nil },
                .not(
                    "unstarted_length", "is set although a device was activated",
                    .changing(["unstarted_length": "P1Y"], where: ["first_activated_at": .present])
                ) { $0.terms.unstarted != nil && $0.firstActivatedAt != nil },
                .not(
                    "state", "is expired although the term has no end", ["state": "expired", "term_end": nil]
                ) { $0.recordedState == .expired && $0.term.end == nil },
            ],
            note: { license in
                inspection.remember("license", license.id.number, of: license.product.tenant)
                if license.firstActivatedAt == nil { inspection.remember("unused license", license.id.number) }
                inspection.owe(.licenseIssued, about: license.id)
                switch license.recordedState {
                case .issued, .active, .expired: break
                case .suspended: inspection.owe(.licenseSuspended, about: license.id)
                case .revoked: inspection.owe(.licenseRevoked, about: license.id)
                case .returned: inspection.owe(.licenseReturned, about: license.id)
                }
            },
            damages: stopped.map { Damage(of: License.self, $0, told: events) }
                + [Damage(of: EventRecord.self, .deleting(where: ["kind": .value(.of(EventKind.licenseIssued))]))])
    }

    private static func activations(_ inspection: Inspection, into times: ActivationTimes) -> RowInvariant {
        RowInvariant(
            Activation.self, in: inspection, named: { "\($0.id) of \($0.license)" },
            [
                .notFuture("activated_at") { $0.activatedAt },
                .notFuture("released_at") { $0.releasedAt },
                .notBefore("released_at", "the device was activated") { ($0.releasedAt, $0.activatedAt) },
                .not("released_by", "is set although nothing was released", ["released_by": "holder"]) {
                    $0.isLive && $0.releasedBy != nil
                },
                .not("counts_until", "is set although nothing was released", ["counts_until": .future]) {
                    $0.isLive && $0.countsUntil != nil
                },
                .not(
                    "license_id", "refers to a license that was never activated",
                    .changing(["license_id": .lowest("license_id", of: unusedLicenses)])
                ) { inspection.knows("unused license", $0.license.number) },
                // An activation attempt that is repeated after a while is a new one and gets an activation of its own.
                .not(
                    "identity", "is active twice on one license",
                    .changing(
                        [
                            "identity": .lowest("identity", of: "activations"),
                            "license_id": .lowest("license_id", of: "activations"),
                        ], all: true)
                ) { activation in
                    guard activation.isLive else { return false }
                    switch activation.identity {
                    case .machine, .freeTier: break
                    case .attempt, .anonymous: return false
                    }
                    var hasher = Hasher()
                    hasher.combine(activation.license)
                    hasher.combine(activation.identity)
                    let device = Int64(hasher.finalize())
                    defer { inspection.remember("live device", device) }
                    return inspection.knows("live device", device)
                },
            ],
            note: { activation in
                times.add(activation)
                inspection.owe(.activationCreated, about: activation.id)
            },
            damages: [
                Damage(of: EventRecord.self, .deleting(where: ["kind": .value(.of(EventKind.activationCreated))]))
            ])
    }

    private static let unusedLicenses =
        "(SELECT id AS license_id FROM licenses WHERE first_activated_at IS NULL) AS unused"

    private static func lastSeen(_ inspection: Inspection, after times: ActivationTimes) -> RowInvariant {
        RowInvariant(
            LastSeen.self, in: inspection, named: { "of \($0.activation)" },
            [
                .notFuture("seen_at") { $0.at },
                .notBefore("seen_at", "the device was activated") { ($0.at, times[$0.activation]) },
            ])
    }

    private static func formerKeys(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            FormerKey.self, in: inspection, named: { "of \($0.license)" },
            [
                .notFuture("replaced_at") { $0.replacedAt },
                .not("key_masked", "is empty", ["key_masked": "", "key_ending": nil]) { $0.key.masked.isEmpty },
                .not(
                    "activated_before", "is later than the key was replaced", ["activated_before": .future]
                ) { key in key.activatedBefore.map { $0 > key.replacedAt.adding(seconds: 1) } ?? false },
            ])
    }

    private static func credentials(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            LicenseCredential.self, in: inspection, named: { "\($0.kind.rawValue) of \($0.license)" },
            [
                .notFuture("created_at") { $0.createdAt },
                .endsAfterStart("expires_at", from: "created_at") { ($0.expiresAt, $0.createdAt) },
                .notBefore("ended_at", "the start") { ($0.endedAt, $0.createdAt) },
            ])
    }

    /// The invariants of trials.
    ///
    /// A trial has no foreign key to its product, because the trial outlives the product. Otherwise, a device would get
    /// a second trial of a product that is offered again.
    private static func trials(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            Trial.self, in: inspection, named: { "of a device of \($0.product)" },
            [
                .notFuture("recorded_at") { $0.recordedAt },
                .not("extra_days", "is negative", ["extra_days": -1]) { $0.extraDays < 0 },
                RowRule("started_at", ["started_at": .future]) { trial, inspection in
                    inspection.isBefore(trial.recordedAt, trial.start) ? "is after it was recorded" : nil
                },
            ])
    }

    private static func trialDevices(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            Trial.Device.self, in: inspection, named: { "of a device of \($0.product)" },
            [
                .notFuture("reported_at") { $0.reportedAt },
                .not("kept_until", "is before the report", ["kept_until": 0]) { $0.retainedUntil < $0.reportedAt },
            ])
    }
}

/// Collects when devices were activated, to compare it with when they were last seen.
private final class ActivationTimes {
    // The ids' hashes take half of the memory of the ids.
    private var times: [Int: Timestamp] = [:]

    func add(_ activation: Activation) { times[activation.id.hashValue] = activation.activatedAt }

    subscript(id: ActivationID) -> Timestamp? { times[id.hashValue] }
}
