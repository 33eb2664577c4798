import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

extension RowInvariant {
    /// The rules that stored content rows must satisfy, for an inspection of the store.
    static func content(_ inspection: Inspection) -> [RowInvariant] {
        [
            targets(inspection), callbackTokens(inspection), enrolments(inspection), takings(inspection),
            licenses(inspection), credentials(inspection),
        ]
    }

    private static func targets(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(ContentTargetRow.self, in: inspection, named: { "\($0.target) of \($0.tenant)" }) { row, tell in
            if let master = inspection.master, (try? master.open(row.sealed, of: row.tenant, for: row.target)) == nil {
                tell("sealed", "can't be decrypted with the master key")
            }
        }
    }

    private static func callbackTokens(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(CallbackTokenRow.self, in: inspection, named: { "\($0.number) of \($0.tenant)" }) { row, tell in
            if row.number < 1 { tell("number", "is less than 1") }
            if let master = inspection.master,
                (try? master.open(row.sealed, of: row.tenant, for: CallbackTokenRow.purpose)) == nil
            {
                tell("sealed", "can't be decrypted with the master key")
            }
        }
    }

    private static func enrolments(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(Enrolment.self, in: inspection, named: \.id.description) { enrolment, tell in
            inspection.remember("enrolment", enrolment.id.number)
            if inspection.isFuture(enrolment.madeAt) { tell("made_at", "is in the future") }
            if enrolment.state == .ended, enrolment.endedAt == nil { tell("ended_at", "is missing") }
            if enrolment.state != .ended, enrolment.endedAt != nil {
                tell("ended_at", "is set although it hasn't ended")
            }
            if enrolment.holder.isEmpty { tell("holder", "is an empty string") }
            if let start = enrolment.startsAt, let end = enrolment.endsAt, end <= start {
                tell("ends_at", "is not after the start")
            }
            if inspection.isFuture(enrolment.endedAt) { tell("ended_at", "is in the future") }
            if inspection.isBefore(enrolment.endedAt, enrolment.madeAt) { tell("ended_at", "is before it was made") }
        }
    }

    private static func takings(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(Enrolment.EarlyTaking.self, in: inspection, named: { "in \($0.enrolment)" }) { taking, tell in
            if inspection.isFuture(taking.at) { tell("at", "is in the future") }
        }
    }

    private static func licenses(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(ContentLicense.self, in: inspection, named: \.id.description) { license, tell in
            inspection.remember("content license", license.id.number)
            if license.version < 1 { tell("version", "is less than 1") }
            if !(1...max(license.version, 1)).contains(license.countsFrom) {
                tell("counts_from", "is not one of its versions")
            }
            if !(0...max(license.version, 0)).contains(license.confirmed) {
                tell("confirmed_version", "is not one of its versions")
            }
            if let uncounted = license.uncounted, !(2..<max(license.version, 2)).contains(uncounted) {
                tell("uncounted_version", "is not a version before the newest")
            }
            if license.state == .active, license.stoppedAt != nil {
                tell("stopped_at", "is set although nothing stops it")
            }
            if license.state != .active, license.stoppedAt == nil { tell("stopped_at", "is missing") }
            if license.isReleased, license.state != .returned {
                tell("is_released", "is set although it wasn't returned")
            }
            if license.used.plays < 0 { tell("used_plays", "is negative") }
            if license.used.playSeconds < 0 { tell("used_seconds", "is negative") }
            if license.settled < 0 { tell("settled", "is negative") }
            if inspection.isFuture(license.present.issuedAt) { tell("issued_at", "is in the future") }
            if inspection.isFuture(license.stoppedAt) { tell("stopped_at", "is in the future") }
            if let end = license.present.terms.expiresAt, inspection.isBefore(end, license.present.issuedAt) {
                tell("expires_at", "is before it was issued")
            }
            if inspection.isFuture(license.playerExpiredAt) { tell("player_expired_at", "is in the future") }
            if inspection.isFuture(license.lastSeenAt) { tell("last_seen_at", "is in the future") }
        }
    }

    private static func credentials(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            HolderCredential.self, in: inspection, named: { "\($0.kind.rawValue) of \($0.holder) at \($0.tenant)" }
        ) { credential, tell in
            if inspection.isFuture(credential.createdAt) { tell("created_at", "is in the future") }
            if credential.expiresAt <= credential.createdAt { tell("expires_at", "is not after the start") }
            if inspection.isBefore(credential.endedAt, credential.createdAt) {
                tell("ended_at", "is before the start")
            }
            if inspection.isFuture(credential.succeededAt) { tell("succeeded_at", "is in the future") }
            if credential.kind == .token, credential.device == nil { tell("device", "is missing for a token") }
            if credential.kind != .token, credential.releasedAt != nil {
                tell("released_at", "is set without a device")
            }
        }
    }
}
