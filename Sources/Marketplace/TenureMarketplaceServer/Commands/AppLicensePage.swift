import TenureCommandLine
import TenureCore
import TenureMarketplace
import TenureServerKit

/// The representation of an app license on the command line.
extension AppLicense {
    /// The lines for a single license.
    static let page: [LabeledText<AsOf<AppLicense>>] = [
        .id,
        LabeledText("number") { String($0.value.id.number) },
        LabeledText("app") { "\($0.value.item), version \($0.value.asset.version)" },
        LabeledText("asset") { $0.value.asset.asset.text },
        LabeledText("tenant") { $0.value.tenant.text },
        .account, .device,
        LabeledText.state("state") {
            $0.value.state(at: $0.now).rawValue
                + ($0.value.isUndelivered ? ", never delivered" : "")
                + ($0.value.hasNewer ? ", replaced by a newer license" : "")
        },
        LabeledText("term") {
            "\($0.value.term.start.local) \($0.value.term.end.map { "to \($0.local)" } ?? "with no end")"
        },
        LabeledText("issued") { $0.value.issuedAt.local },
        LabeledText("failed") {
            guard let failedAt = $0.value.failedAt else { return "no renewal refused in this term" }
            return $0.value.isUndelivered
                ? "it couldn't be written on \(failedAt.local)" : "a renewal was refused on \(failedAt.local)"
        },
    ]

    /// The columns of a list of licenses.
    static let columns: [LabeledText<AsOf<AppLicense>>] = [
        .id,
        LabeledText("app") { $0.value.item.description },
        LabeledText("version") { $0.value.asset.version.description },
        .account, .device,
        LabeledText.state("state") { $0.value.state(at: $0.now).rawValue },
        LabeledText("ends") { $0.value.term.end?.local ?? "never" },
    ]
}

extension LabeledText<AsOf<AppLicense>> {
    fileprivate static let id = LabeledText("license") { $0.value.id.description }
    fileprivate static let account = LabeledText("account") { $0.value.account?.text ?? "-" }
    fileprivate static let device = LabeledText("device") { $0.value.device.shortText }
}

extension Account {
    /// The lines for a single account on the command line.
    static let page: [LabeledText<Account>] = [
        LabeledText("account") { $0.ref.account.text },
        LabeledText("tenant") { $0.ref.tenant.text },
        LabeledText("email") { $0.email ?? "-" },
        LabeledText("password") { $0.passwordHash == nil ? "none" : "set" },
        LabeledText("added") { $0.createdAt.local },
        LabeledText("deleted") { $0.deletedAt?.local ?? "-" },
    ]
}
