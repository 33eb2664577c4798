import TenureCore
import TenureMarketplace
import TenureServerKit
import TenureStore

extension RowInvariant {
    /// - Parameter deleted: The deleted accounts. They are collected while accounts are checked, before licenses are
    ///   checked.
    static func appLicenses(_ inspection: Inspection, _ deleted: DeletedAccounts) -> RowInvariant {
        let replacements = ReplacedLicenses()
        return RowInvariant(
            AppLicense.self, in: inspection, named: \.id.description,
            [
                .notFuture("issued_at") { $0.issuedAt },
                .notFuture("stopped_at") { $0.stoppedAt },
                .notBefore("stopped_at", "it was issued") { ($0.stoppedAt, $0.issuedAt) },
                .notBefore("term_start", "it was issued") { ($0.term.start, $0.issuedAt) },
                .not("state", "is a state that is derived and never stored", ["state": "expired"]) {
                    $0.recordedState == .issued || $0.recordedState == .expired
                },
                .not("stopped_at", "is set although nothing stops it", ["stopped_at": .column("issued_at")]) {
                    $0.recordedState == .active && $0.stoppedAt != nil
                },
                .not("stopped_at", "is missing", ["state": "revoked", "stopped_at": nil]) { license in
                    switch license.recordedState {
                    case .issued, .expired, .active: false
                    case .suspended, .revoked, .returned: license.stoppedAt == nil
                    }
                },
                .not("counts_until", "is set although it wasn't returned", ["counts_until": .future]) {
                    $0.countsUntil != nil && $0.recordedState != .returned
                },
                .not("failed_key", "is set although nothing failed", ["failed_key": .zeros(32), "failed_at": nil]) {
                    $0.failedKey != nil && $0.failedAt == nil
                },
            ],
            note: { license in
                replacements.add(license)
                if let owner = license.owner, deleted.refs.contains(owner), !license.recordedState.isFinal {
                    inspection.tell(
                        AppLicense.table.shape, license.id.description, "state",
                        "isn't final although the account \(owner) was deleted; complete the deletion with "
                            + "`tenure account delete`")
                }
                inspection.remember("license", license.id.number, of: license.tenant)
                inspection.owe(.appLicenseIssued, about: license.id)
            },
            damages: [
                Damage(of: EventRecord.self, .deleting(where: ["kind": .value(.of(EventKind.appLicenseIssued))])),
                Damage(of: AppLicense.self, ["is_replaced": .flag(true)], column: "is_replaced"),
                Damage(
                    of: Account.self, .changing(["deleted_at": .column("created_at")], all: true),
                    told: AppLicense.table.shape, column: "state"),
            ],
            end: {
                for (license, sentence) in replacements.faults(inspection) {
                    inspection.tell(AppLicense.table.shape, license.description, "is_replaced", sentence)
                }
            })
    }
}

/// Collects the deleted accounts, whose licenses must be revoked or returned.
final class DeletedAccounts {
    var refs: Set<AccountRef> = []
}

/// Collects app licenses to compare `is_replaced` with the other licenses of the same device.
private final class ReplacedLicenses {
    private struct Member {
        let id: LicenseID
        let issuedAt: Timestamp
        let termStart: Timestamp
        let isReplaced: Bool
        let isUndelivered: Bool
    }

    // Most devices have one license of an app, so a list for each device would take most of the memory.
    private var firstMembers: [Int: Member] = [:]
    private var otherMembers: [Int: [Member]] = [:]

    func add(_ license: AppLicense) {
        let key = license.deviceAppKey.hashValue
        let member = Member(
            id: license.id, issuedAt: license.issuedAt, termStart: license.term.start, isReplaced: license.isReplaced,
            isUndelivered: license.isUndelivered)
        if firstMembers[key] == nil {
            firstMembers[key] = member
        } else {
            otherMembers[key, default: []].append(member)
        }
    }

    func faults(_ inspection: Inspection) -> [(LicenseID, String)] {
        var faults: [(LicenseID, String)] = []
        for (key, member) in firstMembers {
            let members = [member] + (otherMembers[key] ?? [])
            // An undelivered license is marked as replaced although it may be the newest.
            for license in members where !license.isUndelivered {
                let others = members.filter { $0.id != license.id }
                if license.isReplaced {
                    if others.allSatisfy({ inspection.isBefore($0.issuedAt, license.termStart) }) {
                        faults.append((license.id, "is set although the device got no other license since"))
                    }
                } else if others.contains(where: {
                    !$0.isUndelivered && inspection.isBefore(license.termStart, $0.issuedAt)
                }) {
                    faults.append((license.id, "isn't set although the device got another license since"))
                }
            }
        }
        return faults.sorted { $0.0 < $1.0 }
    }
}
