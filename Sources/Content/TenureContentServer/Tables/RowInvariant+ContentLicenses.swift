import TenureContent
import TenureCore
import TenureServerKit
import TenureStore

extension RowInvariant {
    static func licenses(_ inspection: Inspection) -> RowInvariant {
        RowInvariant(
            ContentLicense.self, in: inspection, named: \.id.description, versions + states + counts,
            note: { inspection.remember("content license", $0.id.number, of: $0.present.tenant) })
    }

    private static var versions: [RowRule<ContentLicense>] {
        [
            .not("version", "is less than 1", ["version": 0]) { $0.version < 1 },
            .not("counts_from", "is not one of its versions", ["counts_from": 9]) {
                !(1...max($0.version, 1)).contains($0.countsFrom)
            },
            .not("confirmed_version", "is not one of its versions", ["confirmed_version": 9]) {
                !(0...max($0.version, 0)).contains($0.confirmed)
            },
            .not("uncounted_version", "is not a version before the newest", ["uncounted_version": 1]) { license in
                license.uncounted.map { !(2..<max(license.version, 2)).contains($0) } ?? false
            },
        ]
    }

    private static var states: [RowRule<ContentLicense>] {
        [
            .not("stopped_at", "is set although nothing stops it", ["stopped_at": .past]) {
                $0.state == .active && $0.stoppedAt != nil
            },
            .not("stopped_at", "is missing", ["state": "revoked", "stopped_at": nil]) {
                $0.state != .active && $0.stoppedAt == nil
            },
            .not("is_released", "is set although it wasn't returned", ["is_released": .flag(true)]) {
                $0.isReleased && $0.state != .returned
            },
            .notFuture("issued_at") { $0.present.issuedAt },
            .notFuture("stopped_at") { $0.stoppedAt },
            .notBefore("expires_at", "it was issued") { ($0.present.terms.expiresAt, $0.present.issuedAt) },
            .notFuture("player_expired_at") { $0.playerExpiredAt },
            .notFuture("last_seen_at") { $0.lastSeenAt },
        ]
    }

    private static var counts: [RowRule<ContentLicense>] {
        [
            .not("used_plays", "is negative", ["used_plays": -1]) { $0.used.plays < 0 },
            .not("used_seconds", "is negative", ["used_seconds": -1]) { $0.used.playSeconds < 0 },
            .not("settled", "is negative", ["settled": -1]) { $0.settled < 0 },
            .not("summed", "is negative", ["summed": -1]) { $0.summed < 0 },
        ]
    }
}
