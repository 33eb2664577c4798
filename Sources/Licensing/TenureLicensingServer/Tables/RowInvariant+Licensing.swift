import TenureCore
import TenureCrypto
import TenureLicensing
import TenureServerKit
import TenureStore

extension RowInvariant {
    /// The invariants of software licenses, their activations, credentials, trials and signing keys.
    static func licensing(_ inspection: Inspection) -> [RowInvariant] {
        [
            products(inspection), policies(inspection), licenses(inspection), activations(inspection),
            formerKeys(inspection), credentials(inspection), trials(inspection), signingKeys(inspection),
            preparedKeys(inspection),
        ]
    }

    private static func products(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(Product.self, in: inspection, named: { "\($0.ref)" }) { product, tell in
            if product.trialDays < 0 { tell("trial_days", "is negative") }
        }
    }

    private static func policies(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(PolicyRow.self, in: inspection, named: { "\($0.product)/\($0.policy.id)" }) { row, tell in
            let policy = row.policy
            if let days = policy.durationDays, days < 1 { tell("duration_days", "is less than one day") }
            if let limit = policy.activationLimit, !(1...Policy.highestActivationLimit).contains(limit) {
                tell("activation_limit", "is not 1 to \(Policy.highestActivationLimit)")
            }
            if let changes = policy.deviceChanges, changes < 0 { tell("device_changes", "is negative") }
            if policy.deviceChanges != nil, policy.activationLimit == nil {
                tell("device_changes", "is set although there is no device limit")
            }
            if policy.leaseDays < 1 { tell("lease_days", "is less than one day") }
            if policy.graceDays < 0 { tell("grace_days", "is negative") }
            if Set(policy.entitlements).count < policy.entitlements.count {
                tell("entitlements", "lists an entitlement twice")
            }
            if let release = policy.selfRelease, release.cooldownDays < 0 {
                tell("self_release_cooldown_days", "is negative")
            }
            if let release = policy.selfRelease, release.perYear < 1 {
                tell("self_release_per_year", "allows no release")
            }
        }
    }

    private static func licenses(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(License.self, in: inspection, named: \.id.description) { license, tell in
            inspection.remember("license", license.id.number)
            if license.firstActivatedAt == nil { inspection.remember("unused license", license.id.number) }
            if inspection.isFuture(license.issuedAt) { tell("issued_at", "is in the future") }
            if inspection.isFuture(license.firstActivatedAt) { tell("first_activated_at", "is in the future") }
            if inspection.isBefore(license.firstActivatedAt, license.issuedAt) {
                tell("first_activated_at", "is before the license was issued")
            }
            if license.key.masked.isEmpty { tell("key_masked", "is empty") }
            if !license.key.masked.contains("*") { tell("key_masked", "hides nothing of the key") }
            inspection.owe(.licenseIssued, about: license.id)
            if license.holder == "" { tell("holder", "is an empty string") }
            switch license.recordedState {
            case .issued:
                if license.firstActivatedAt != nil { tell("state", "is issued although a device was activated") }
            case .active:
                if license.firstActivatedAt == nil { tell("state", "is active although no device was activated") }
            case .expired:
                if license.term.end == nil { tell("state", "is expired although the term has no end") }
            case .suspended: inspection.owe(.licenseSuspended, about: license.id)
            case .revoked: inspection.owe(.licenseRevoked, about: license.id)
            case .returned: inspection.owe(.licenseReturned, about: license.id)
            }
        }
    }

    private static func activations(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(Activation.self, in: inspection, named: { "\($0.id) of \($0.license)" }) { activation, tell in
            inspection.owe(.activationCreated, about: activation.id)
            if inspection.isFuture(activation.activatedAt) { tell("activated_at", "is in the future") }
            if inspection.isFuture(activation.lastSeenAt) { tell("last_seen_at", "is in the future") }
            if inspection.isFuture(activation.releasedAt) { tell("released_at", "is in the future") }
            if inspection.isBefore(activation.lastSeenAt, activation.activatedAt) {
                tell("last_seen_at", "is before the device was activated")
            }
            if inspection.isBefore(activation.releasedAt, activation.activatedAt) {
                tell("released_at", "is before the device was activated")
            }
            if activation.isLive, activation.releasedBy != nil {
                tell("released_by", "is set although nothing was released")
            }
            if activation.isLive, activation.countsUntil != nil {
                tell("counts_until", "is set although nothing was released")
            }
            if inspection.knows("unused license", activation.license.number) {
                tell("license_id", "refers to a license that was never activated")
            }
            // An activation attempt that is repeated after a while is a new one and gets an activation of its own.
            guard activation.isLive else { return }
            switch activation.identity {
            case .machine, .freeTier: break
            case .attempt, .anonymous: return
            }
            var hasher = Hasher()
            hasher.combine(activation.license)
            hasher.combine(activation.identity)
            let device = Int64(hasher.finalize())
            if inspection.knows("live device", device) { tell("identity", "is active twice on one license") }
            inspection.remember("live device", device)
        }
    }

    private static func formerKeys(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(FormerKey.self, in: inspection, named: { "of \($0.license)" }) { former, tell in
            if inspection.isFuture(former.replacedAt) { tell("replaced_at", "is in the future") }
        }
    }

    private static func credentials(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            LicenseCredential.self, in: inspection, named: { "\($0.kind.rawValue) of \($0.license)" }
        ) { credential, tell in
            if inspection.isFuture(credential.createdAt) { tell("created_at", "is in the future") }
            if credential.expiresAt <= credential.createdAt { tell("expires_at", "is not after the start") }
            if inspection.isBefore(credential.endedAt, credential.createdAt) {
                tell("ended_at", "is before the start")
            }
        }
    }

    private static func trials(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(Trial.self, in: inspection, named: { "of a device of \($0.product)" }) { trial, tell in
            if inspection.isFuture(trial.recordedAt) { tell("recorded_at", "is in the future") }
            if inspection.isBefore(trial.recordedAt, trial.start) { tell("started_at", "is after it was recorded") }
        }
    }

    private static func signingKeys(_ inspection: Inspection) -> RowInvariant {
        var primaries: [TenantID: Int] = [:]
        return RowInvariant(
            SigningKeyRecord.self, in: inspection, named: { "\($0.kid) of \($0.tenant)" },
            end: {
                for (tenant, count) in primaries.sorted(by: { $0.key < $1.key }) where count != 1 {
                    inspection.tell(
                        SigningKeyRecord.table.shape, "\(tenant)", "standing",
                        "is set for \(count) keys instead of one")
                }
            }
        ) { key, tell in
            primaries[key.tenant, default: 0] += key.standing == .primary ? 1 : 0
            inspection.remember("lease key", number(of: key.tenant, key.kid))
            if inspection.isFuture(key.createdAt) { tell("created_at", "is in the future") }
            if key.standing == .primary, key.publishedUntil != nil {
                tell("published_until", "is set for a key that signs")
            }
            if key.standing == .retiring, key.publishedUntil == nil, key.span.map({ $0 < .endless }) ?? true {
                tell("published_until", "is missing for a retiring key")
            }
            if let span = key.span, span.days < 1 { tell("span_days", "is less than one day") }
            inspection.check(key.publicKey, key.sealedSeed, of: key.tenant, kid: key.kid, tell)
        }
    }

    private static func preparedKeys(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(SigningKeyRecord.Prepared.self, in: inspection, named: { "\($0.kid) of \($0.tenant)" }) {
            key, tell in
            if inspection.isFuture(key.createdAt) { tell("created_at", "is in the future") }
            if inspection.knows("lease key", number(of: key.tenant, key.kid)) { tell("kid", "is used by another key") }
            inspection.check(key.publicKey, key.sealedSeed, of: key.tenant, kid: key.kid, tell)
        }
    }

    private static func number(of tenant: TenantID, _ kid: String) -> Int64 {
        var hasher = Hasher()
        hasher.combine(tenant)
        hasher.combine(kid)
        return Int64(hasher.finalize())
    }
}

extension Inspection {
    /// Reports a private key that doesn't decrypt or doesn't match the public key.
    fileprivate func check(
        _ publicKey: [UInt8], _ sealed: [UInt8], of tenant: TenantID, kid: String, _ tell: (String, String) -> Void
    ) {
        guard let master else { return }
        guard let seed = try? master.open(sealedSeed: sealed, of: tenant, kid: kid),
            let key = try? Ed25519.PrivateKey(seed: seed)
        else { return tell("sealed_seed", "can't be decrypted with the master key") }
        if key.publicKey.bytes != publicKey { tell("public_key", "doesn't match the private key") }
    }
}
